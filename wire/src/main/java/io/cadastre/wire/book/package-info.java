/// What the books of all dialects need to turn changes into one commit.
@NullMarked
package io.cadastre.wire.book;

import org.jspecify.annotations.NullMarked;
