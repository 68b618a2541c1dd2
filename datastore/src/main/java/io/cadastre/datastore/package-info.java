/// The port to every store: get, list, watch, and compare-and-set.
///
/// The port promises only what the weakest store can keep. A list of writes is committed in one
/// transaction where the store can and one by one where it cannot, so whoever writes must be able to
/// live with a list that stopped after any of its writes.
@NullMarked
package io.cadastre.datastore;

import org.jspecify.annotations.NullMarked;
