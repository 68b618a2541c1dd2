/// One prefix per node, the way the Kubernetes node IPAM controller does it.
///
/// **What there is.** A cluster has one CIDR, or one of each family. Each is cut into equal blocks,
/// numbered from zero ([CidrSet]). A node holds one block of each, in the order of the cluster CIDRs.
///
/// **What is used.** A block is used while something touches it: a service range, or a CIDR on a node,
/// even if it is bigger or smaller than a block, at another place in the node's list, or of a node that
/// is being deleted. Nothing else is stored: used blocks are derived from the nodes at each reading
/// ([NodeCidrView]).
///
/// **Which block is next.** The first unused one from the cursor on, wrapping at the end; the cursor
/// then stands behind it. Occupying and giving back do not move the cursor, so a block that was given
/// back rests until the cursor comes round. The cursor is stored ([Cursors]), so that any number of
/// short processes behave as one that keeps running, and every assignment rewrites it, so that rivals
/// conflict there.
///
/// **Adding a node** takes a block of every cluster CIDR or of none. A node that has CIDRs keeps them and
/// is answered the same each time, also if it has fewer than the cluster. One that is being deleted and
/// has none gets none. When a cluster CIDR has no unused block the request is refused
/// (`CIDRNotAvailable`).
///
/// **Removing a node** takes back all it holds. A block of which someone else holds a part stays used.
///
/// **Starting.** A controller does not start on nodes whose CIDRs do not fit its configuration: not
/// readable, more than there are cluster CIDRs, or outside of the cluster CIDR at the same place. Once
/// it runs, such a node does not affect others; it is named among the reasons, as are two nodes that
/// hold the same addresses.
///
/// What is matched, and where we differ and why: `docs/compat/node-cidr.md`.
@NullMarked
package io.cadastre.engine.nodecidr;

import org.jspecify.annotations.NullMarked;
