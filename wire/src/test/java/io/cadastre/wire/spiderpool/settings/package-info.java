/// What must be set, and what stops a start.
@NullMarked
package io.cadastre.wire.spiderpool.settings;

import org.jspecify.annotations.NullMarked;
