/// Blocks leased to nodes, the way Calico does it.
///
/// A pool is cut into equal blocks. A node leases a block and gives its addresses to pods; which
/// block a node tries first is fixed by its name, so that nodes rarely meet.
@NullMarked
package io.cadastre.engine.block;

import org.jspecify.annotations.NullMarked;
