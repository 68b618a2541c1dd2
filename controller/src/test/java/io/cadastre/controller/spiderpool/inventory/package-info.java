@NullMarked
package io.cadastre.controller.spiderpool.inventory;

import org.jspecify.annotations.NullMarked;
