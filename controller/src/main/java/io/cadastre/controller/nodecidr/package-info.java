/// The node allocator of Kubernetes: each Node gets a block of the cluster CIDR, or of the ClusterCIDR that suits it.
///
/// **The server is the arbiter of a Node, this process of a block.** The CIDRs of a Node can be set once; the API
/// server refuses others. That no two Nodes get one block follows from there being one leader, which reserves a block
/// in memory ([io.cadastre.controller.nodecidr.CidrLaw]), writes it by a patch without a revision
/// ([io.cadastre.controller.nodecidr.NodePatcher]), and confirms it when the watch shows it, or gives it back
/// ([io.cadastre.controller.nodecidr.NodeCidrTerm]).
///
/// **Deciding is apart from doing.** [io.cadastre.controller.nodecidr.NodeCidrState] takes what a
/// [io.cadastre.controller.nodecidr.NodeSource] reads of the Nodes and says what is to be done about one; the workers
// of
/// [io.cadastre.controller.nodecidr.NodeIpam] do it and hand back a [io.cadastre.controller.nodecidr.PatchResult].
///
/// **A block is given back only if it cannot be on a Node.** A patch without an answer is sent again, then the Node is
/// read. If the Node shows nothing, the block stays held for as long as the server may still apply the patch
/// ([io.cadastre.controller.nodecidr.LateWrites]), and the Node is offered it again. What a watch shows that is older
/// than the own write, or than the newest list, does not count.
///
/// **A term begins with all Nodes.** A leader that watched for long before it was elected lists the Nodes anew, so that
/// it sees all that the leader before it wrote. If a Node has a CIDR that does not fit, RangeAllocator gives nothing
/// and `/readyz` says why.
@NullMarked
package io.cadastre.controller.nodecidr;

import org.jspecify.annotations.NullMarked;
