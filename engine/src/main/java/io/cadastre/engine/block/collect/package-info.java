/// Finds addresses and blocks that are no longer in use and takes them back: a sweep looks at all blocks, its plan
/// says what is to be done, and a leak is released only after it was seen for as long as the settings say.
@NullMarked
package io.cadastre.engine.block.collect;

import org.jspecify.annotations.NullMarked;
