/// Tests of Spiderpool's objects.
@NullMarked
package io.cadastre.wire.spiderpool.objects;

import org.jspecify.annotations.NullMarked;
