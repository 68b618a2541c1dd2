/// Looks after subnets and the pools that are made of them, in any store: what needs a decision is found out by one
/// reading, and each decision is made on a reading of its own. The documents are those of
/// [io.cadastre.wire.spiderpool.objects].
@NullMarked
package io.cadastre.wire.spiderpool.subnet;

import org.jspecify.annotations.NullMarked;
