/// The process of a cluster. It hosts control loops: tasks that follow documents and, while the process
/// leads, write what follows from them. The first of them, garbage collection, takes back addresses and blocks
/// that are not in use any more.
///
/// **Loops are hosted, not written, here.** A [io.cadastre.controller.ControlLoop] names the kinds that it
/// follows and writes during a leader term. [io.cadastre.controller.ControlLoops] runs those that
/// `--controllers` chooses ([io.cadastre.controller.ChosenLoops]), all behind one lease, one term and one fence.
///
/// **Each kind is listed and watched once**, for all loops ([io.cadastre.controller.watch]). Lists arrive page
/// by page, and a handler keeps of each document only what its loop needs, so that 20,000 Pods and their
/// blocks fit into a small heap. A process that does not lead watches too: when it becomes the leader it
/// writes at once.
///
/// **One process writes.** [io.cadastre.controller.election] elects the leader by a Lease of
/// `coordination.k8s.io`. A leader writes only during its term, through a store that refuses every commit after
/// the end of the term ([io.cadastre.controller.election.FencedDatastore]). So a process that was paused for
/// longer than its term and then continues writes nothing.
///
/// **A watch says where to look, never what to write.** [io.cadastre.controller.collection] keeps one snapshot
/// of Calico's documents and of the Pods and Nodes of Kubernetes. A change marks the nodes that it concerns as
/// dirty; a sweep plans what to take back on those nodes, and on all of them once in a while. Before anything is
/// released the plan passes three checks:
///
/// 1. The address has looked unused for the grace period, in this term.
/// 2. The Pod and its endpoint are read again from the store, past the watch and its delays.
/// 3. The release is decided anew by the engine, on documents that the commit compares.
///
/// A document that cannot be read counts as the harmless case: its Pod lives, its block is full, the cluster is
/// locked.
///
/// [io.cadastre.controller.queue] delays and combines what loops have to do.
/// [io.cadastre.wire.pages] serves `/livez`, `/readyz` and `/metrics`. `/readyz` fails while a kind has not
/// been listed.
@NullMarked
package io.cadastre.controller;

import org.jspecify.annotations.NullMarked;
