/// A store and a journal that last as long as the process, with the whole history of every key: for tests,
/// for the simulator, and for programs that need no more.
@NullMarked
package io.cadastre.datastore.memory;

import org.jspecify.annotations.NullMarked;
