/// What has been read of blocks, found by their place: the snapshot that a view is made of, and the order in
/// which a host tries the blocks of a pool, to the number the same as Calico's.
@NullMarked
package io.cadastre.engine.block.index;

import org.jspecify.annotations.NullMarked;
