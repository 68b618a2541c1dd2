/// The objects of Cilium's address management as documents: what each node has
/// ([io.cadastre.wire.cilium.CiliumNodeDocument]) and the pools that nodes get CIDRs of
/// ([io.cadastre.wire.cilium.PodIpPoolDocument]).
///
/// ## Documents and keys
///
/// An object lies under a key that is like its path in the API ([io.cadastre.wire.cilium.CiliumKeys]):
/// `/cadastre/apis/cilium.io/v2/ciliumnodes/NAME`. In any store but Kubernetes it is a document that Cadastre keeps; on
/// Kubernetes [io.cadastre.wire.kubernetes.CoreObjects] maps it to the object. Fields unknown here are kept.
///
/// ## What users write
///
/// [io.cadastre.wire.cilium.CiliumObjects] decides what becomes of it as the API server would, by the rules that are
/// part of each kind ([io.cadastre.wire.cilium.CiliumKinds]). The status of a CiliumNode belongs to the programs that
/// manage it: what users write leaves it alone.
///
/// ## Where rivals meet
///
/// Writers of one object meet at its key. A pool that takes ranges in a store with other dialects is announced
/// ([io.cadastre.wire.book.RangeAnnouncement]), and two pools meet there too.
///
/// What is matched, and where we differ and why: `docs/compat/cilium.md`.
@NullMarked
package io.cadastre.wire.cilium;

import org.jspecify.annotations.NullMarked;
