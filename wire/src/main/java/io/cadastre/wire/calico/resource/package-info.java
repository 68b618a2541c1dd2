/// Calico's kinds as users see them, and the life cycle of those that users write: pools, reservations, nodes and the
/// information about the cluster.
///
/// [io.cadastre.wire.calico.resource.CalicoKinds] is the table of kinds. A
/// [io.cadastre.wire.calico.resource.CalicoKind] has the names of its kind, its keys, fields, columns and rules;
/// `apply`, `get`, `delete` and the objects of the Kubernetes API work for any kind of the table.
///
/// [io.cadastre.wire.calico.resource.Resources] decides, in Calico's words, what a document may say and what becomes of
/// it. The rules that Calico leaves to a Kubernetes API server hold here too, as they do in Calico itself when
/// its store is etcd.
@NullMarked
package io.cadastre.wire.calico.resource;

import org.jspecify.annotations.NullMarked;
