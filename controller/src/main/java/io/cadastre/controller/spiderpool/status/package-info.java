/// Counts the addresses of pools and lets deleted pools go, as Spiderpool's controller does.
///
/// Pools are watched only while this process leads and where the store takes them: a cluster without the kind would
/// answer every list with an error. What is to be done is decided on the pool as it is read again
/// ([io.cadastre.wire.spiderpool.objects.PoolUpkeep]), and written by compare-and-set.
@NullMarked
package io.cadastre.controller.spiderpool.status;

import org.jspecify.annotations.NullMarked;
