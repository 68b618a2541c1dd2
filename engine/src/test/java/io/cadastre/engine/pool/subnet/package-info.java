/// Pools that are made of subnets: how many addresses, which, and when they go back.
@NullMarked
package io.cadastre.engine.pool.subnet;

import org.jspecify.annotations.NullMarked;
