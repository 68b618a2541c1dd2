/// Tests of the parts of the block law, many on what Calico itself made.
@NullMarked
package io.cadastre.engine.block;

import org.jspecify.annotations.NullMarked;
