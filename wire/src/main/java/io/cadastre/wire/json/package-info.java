/// JSON documents as the Go programs around us write them: bounded on reading, lossless on rewriting.
@NullMarked
package io.cadastre.wire.json;

import org.jspecify.annotations.NullMarked;
