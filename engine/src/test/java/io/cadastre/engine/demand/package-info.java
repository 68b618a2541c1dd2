/// Tests of what nodes need and are given.
@NullMarked
package io.cadastre.engine.demand;

import org.jspecify.annotations.NullMarked;
