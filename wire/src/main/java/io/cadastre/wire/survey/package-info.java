/// A survey of a whole store: the ranges and holdings of all dialects in it, side by side.
///
/// Each dialect keeps its own law in its own documents, and none looks at those of another. Here they are
/// compared, in the one form that they share.
@NullMarked
package io.cadastre.wire.survey;

import org.jspecify.annotations.NullMarked;
