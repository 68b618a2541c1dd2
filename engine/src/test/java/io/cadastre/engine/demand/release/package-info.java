/// Tests of what nodes need and are given.
@NullMarked
package io.cadastre.engine.demand.release;

import org.jspecify.annotations.NullMarked;
