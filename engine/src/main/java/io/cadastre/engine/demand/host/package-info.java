/// One address after another out of a range that a node has to itself, the way Cilium's agent picks them.
///
/// **What may be given.** A range leaves out its first and last address, unless it is so small that it has no others
/// ([HostRange]). Of an IPv6 range only the first 65536 addresses count. The address of the node itself is excluded: no
/// pod gets it, though it may lie in the range.
///
/// **Which is next.** The search starts at an address drawn by chance and goes on from there, wrapping at the end. An
/// address that was given back may be given at once. If the search finds an excluded address, that stays
/// marked, so that it is found only once, and the search goes on.
///
/// **Asking for one address** gets it or an error; it is never another one. Giving back an address without an
/// owner changes nothing.
///
/// What is matched, and where we differ and why: `docs/compat/cilium.md`.
@NullMarked
package io.cadastre.engine.demand.host;

import org.jspecify.annotations.NullMarked;
