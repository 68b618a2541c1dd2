/// What the controller takes back from pools.
@NullMarked
package io.cadastre.controller.spiderpool.collection;

import org.jspecify.annotations.NullMarked;
