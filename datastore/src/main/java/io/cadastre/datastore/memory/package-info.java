/// The store in memory, for tests, simulation and what-if.
@NullMarked
package io.cadastre.datastore.memory;

import org.jspecify.annotations.NullMarked;
