@NullMarked
package io.cadastre.controller.spiderpool.multus;

import org.jspecify.annotations.NullMarked;
