/// Tests of the counts of pools.
@NullMarked
package io.cadastre.controller.spiderpool.status;

import org.jspecify.annotations.NullMarked;
