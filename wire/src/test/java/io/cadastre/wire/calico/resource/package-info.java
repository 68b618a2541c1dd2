/// The life of resources, tried.
@NullMarked
package io.cadastre.wire.calico.resource;

import org.jspecify.annotations.NullMarked;
