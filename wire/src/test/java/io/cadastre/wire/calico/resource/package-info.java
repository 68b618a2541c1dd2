/// The life of resources, tried on the store in memory.
@NullMarked
package io.cadastre.wire.calico.resource;

import org.jspecify.annotations.NullMarked;
