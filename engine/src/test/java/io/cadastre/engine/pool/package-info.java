/// Tests of the law of pools.
@NullMarked
package io.cadastre.engine.pool;

import org.jspecify.annotations.NullMarked;
