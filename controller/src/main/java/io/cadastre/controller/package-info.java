/// The process of a cluster: it hosts control loops, and the first of them takes back addresses and blocks
/// that are not in use any more.
///
/// A [io.cadastre.controller.ControlLoop] follows some kinds of documents and writes during a leader term.
/// [io.cadastre.controller.ControlLoops] runs those that were chosen: [io.cadastre.controller.watch] lists
/// and watches each kind once for all of them, also while another process leads.
///
/// Several controllers may run; one of them works. [io.cadastre.controller.election] elects it by a Lease of
/// `coordination.k8s.io`: a leader writes only during its term, through a store that refuses every commit
/// after the term's end ([io.cadastre.controller.election.FencedDatastore]), so a process that was stopped
/// and goes on writes nothing.
///
/// [io.cadastre.controller.collection] follows Calico's blocks, pools and nodes and Kubernetes' pods, and plans a sweep
// when something changed and once in a while. What a sweep would take back is
/// confirmed in the store, document by document, and an address must have looked unused for a grace period.
/// The pages of [io.cadastre.controller.pages] serve health and metrics over HTTP.
@NullMarked
package io.cadastre.controller;

import org.jspecify.annotations.NullMarked;
