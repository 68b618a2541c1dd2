/// Calico's documents as objects of the Kubernetes API.
///
/// Everything else knows them by the keys and in the form they have in etcd; here is how each of them is
/// an object of one of Calico's two API groups, and a node an object of Kubernetes itself.
@NullMarked
package io.cadastre.wire.calico.crd;

import org.jspecify.annotations.NullMarked;
