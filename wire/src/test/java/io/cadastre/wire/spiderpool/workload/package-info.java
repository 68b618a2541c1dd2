/// Applications as pools see them.
@NullMarked
package io.cadastre.wire.spiderpool.workload;

import org.jspecify.annotations.NullMarked;
