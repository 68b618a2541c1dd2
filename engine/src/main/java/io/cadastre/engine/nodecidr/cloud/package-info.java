/// Node CIDRs that a cloud has a say in, the way kube-controller-manager did it up to Kubernetes 1.30.
///
/// A machine of a cloud has *alias ranges*: addresses that the cloud routes to it beside its own. A node whose
/// CIDR is an alias range of its machine needs no route. There are three ways to bring the two together.
///
/// **The cloud decides, without a cluster CIDR** (`CloudAllocator`, [CloudEngine]). The first two alias ranges
/// of the machine become the CIDRs of the node. Nothing is kept: what a node has is compared with what the
/// cloud answers, by value and not by spelling.
///
/// **The cluster decides** (`IPAMFromCluster`) or **the cloud decides within the cluster CIDR** (`IPAMFromCloud`;
/// both [SyncEngine]). A node has a CIDR or not, and its machine has an alias range or not; one of the two sides
/// is copied to the other, and where that would be the wrong way round the node is refused. Where both have one
/// and they differ only an operator can say which is right.
///
/// **Which blocks are free** is derived from the CIDRs of the nodes and from the blocks that are reserved
/// ([SyncView]). A block is reserved from the moment it is chosen until its node has it, since the cloud may have
/// added it although its answer was lost. The next attempt for this node takes the same block again, and goes on
/// where the one before stopped.
///
/// **A node is written as a whole.** A patch has one CIDR, or one of each family, and the condition that opens the
/// node for Pods (`NetworkUnavailable=False`) comes after it. A caller that stops between two changes of a decision
/// is led on by the next one.
///
/// What is matched, and where we differ and why: `docs/compat/node-cidr.md`.
@NullMarked
package io.cadastre.engine.nodecidr.cloud;

import org.jspecify.annotations.NullMarked;
