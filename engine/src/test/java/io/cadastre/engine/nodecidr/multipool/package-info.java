/// Tests of blocks that nodes get of pools.
@NullMarked
package io.cadastre.engine.nodecidr.multipool;

import org.jspecify.annotations.NullMarked;
