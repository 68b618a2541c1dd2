/// Tests of blocks that nodes get of several cluster CIDRs.
@NullMarked
package io.cadastre.engine.nodecidr.clusterpool;

import org.jspecify.annotations.NullMarked;
