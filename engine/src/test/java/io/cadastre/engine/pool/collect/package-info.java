/// What is taken back from pools, row by row.
@NullMarked
package io.cadastre.engine.pool.collect;

import org.jspecify.annotations.NullMarked;
