/// Objects of Kubernetes itself as documents, and the book of nodes.
///
/// ## Documents and keys
///
/// Nodes, Pods, Namespaces, Events and Leases lie under keys that are like their paths in the API
/// ([io.cadastre.wire.kubernetes.CoreKeys]): `/cadastre/api/v1/nodes/node-1`. In any store but Kubernetes they are
/// documents that Cadastre keeps; on Kubernetes [io.cadastre.wire.kubernetes.CoreObjects] maps them to the
/// objects. What the API server fills in is left to it. Users write Nodes, Pods and Namespaces in the other stores by
/// [io.cadastre.wire.kubernetes.CoreWriting]. [io.cadastre.wire.kubernetes.PodDocument] reads Pods,
/// [io.cadastre.wire.kubernetes.ObjectMeta] the metadata of any object.
///
/// ## The book of nodes
///
/// [io.cadastre.wire.kubernetes.NodeBook] is where the law of node CIDRs is written. It reads the cursors
/// (`/cadastre/node-cidr/cursors`: where the search for a free prefix goes on, and the service ranges) and then
/// all Nodes, and writes the `podCIDRs` of a Node and the cursors by a [io.cadastre.wire.book.WriteSet].
/// Deletions come first, so that where a store applies writes one by one no prefix has two nodes on the way.
///
/// ## Where rivals meet
///
/// Every assignment rewrites the cursors, which were read before the nodes: of two processes that choose the same
/// prefix one finds them changed and decides again. A cluster CIDR or service range that is new in a store with
/// other dialects is announced ([io.cadastre.wire.book.RangeAnnouncement]).
@NullMarked
package io.cadastre.wire.kubernetes;

import org.jspecify.annotations.NullMarked;
