/// ClusterCIDRs as documents, of both API groups that have had them.
///
/// ## Documents and keys
///
/// A ClusterCIDR lies under a key that is like its path in the API
/// ([io.cadastre.wire.kubernetes.clustercidr.ClusterCidrGroup]):
/// `/cadastre/apis/networking.x-k8s.io/v1/clustercidrs/NAME`. In any store but Kubernetes it is a document that
/// Cadastre keeps; on Kubernetes [io.cadastre.wire.kubernetes.CoreObjects] maps it to the object. Fields unknown here
/// are kept ([io.cadastre.wire.kubernetes.clustercidr.ClusterCidrDocument]).
///
/// ## What users write
///
/// [io.cadastre.wire.kubernetes.clustercidr.ClusterCidrObjects] decides what becomes of it as the API server would, by
/// the rules of [io.cadastre.engine.nodecidr.clustercidr.ClusterCidrRules]. A ClusterCIDR with a finalizer is deleted
/// in two steps: its deletion begins, and it vanishes with its last finalizer. On Kubernetes the server does
/// that, elsewhere the writer does.
///
/// ## Where rivals meet
///
/// A ClusterCIDR never changes, so writers of one meet at its key. A new one in a store with other dialects is
/// announced ([io.cadastre.wire.book.RangeAnnouncement]).
@NullMarked
package io.cadastre.wire.kubernetes.clustercidr;

import org.jspecify.annotations.NullMarked;
