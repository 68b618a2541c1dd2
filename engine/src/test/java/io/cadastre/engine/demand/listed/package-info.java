/// Tests of addresses that a node's object lists.
@NullMarked
package io.cadastre.engine.demand.listed;

import org.jspecify.annotations.NullMarked;
