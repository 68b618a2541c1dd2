/// Tests of what nodes need and are given.
@NullMarked
package io.cadastre.engine.demand.host;

import org.jspecify.annotations.NullMarked;
