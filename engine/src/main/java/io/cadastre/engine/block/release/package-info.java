/// Takes addresses, handles and blocks back, on the conditions that a request names. An address is free for others
/// only after a while, so that a late packet does not meet a new holder.
@NullMarked
package io.cadastre.engine.block.release;

import org.jspecify.annotations.NullMarked;
