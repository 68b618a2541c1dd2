/// The life cycle of the resources that people write: pools, reservations, nodes and the information about
/// the cluster.
///
/// What a document may say and what may become of it is decided here, on documents, in Calico's
/// words. The rules that Calico leaves to a Kubernetes API server hold here too, as they do in
/// Calico itself when its store is etcd.
@NullMarked
package io.cadastre.wire.calico.resource;

import org.jspecify.annotations.NullMarked;
