/// Spiderpool's configuration and forms, as its plugin and its agent write and read them.
@NullMarked
package io.cadastre.wire.spiderpool;

import org.jspecify.annotations.NullMarked;
