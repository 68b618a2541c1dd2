/// The loop that makes pools of subnets, on stores in memory.
@NullMarked
package io.cadastre.controller.spiderpool.subnet;

import org.jspecify.annotations.NullMarked;
