/// Tests.
@NullMarked
package io.cadastre.wire.calico.endpoint;

import org.jspecify.annotations.NullMarked;
