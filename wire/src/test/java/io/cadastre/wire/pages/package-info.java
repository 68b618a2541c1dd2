@NullMarked
package io.cadastre.wire.pages;

import org.jspecify.annotations.NullMarked;
