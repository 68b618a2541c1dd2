/// Spiderpool's objects as documents: pools, reserved addresses and endpoints, the book of the law of
/// pools, and what people may write.
///
/// The documents have the form in which the API server keeps them. In every store their keys are like its
/// addresses.
@NullMarked
package io.cadastre.wire.spiderpool.objects;

import org.jspecify.annotations.NullMarked;
