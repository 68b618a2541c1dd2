/// Addresses that a node's object lists one by one, given to pods the way Cilium's agent does it in the modes
/// crd, azure and alibabacloud.
///
/// **What may be given** is what the object lists now, is not in use, has no owner of its own, and is not about to be
/// released. Where nothing is left, the pod waits for the list to grow.
///
/// **An address with an owner** is for that pod alone, in the mode crd: it gets it whenever it asks, also if it has it
/// already.
///
/// **An address that leaves the list** stays with its pod, and is not given again.
///
/// What is matched, and where we differ and why: `docs/compat/cilium.md`.
@NullMarked
package io.cadastre.engine.demand.listed;

import org.jspecify.annotations.NullMarked;
