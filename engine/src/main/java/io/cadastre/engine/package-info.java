/// What all laws share: decisions with their reasons, and the map of holdings.
///
/// An engine is one law as pure functions: view and request in, decision out. What is shared is the
/// map, not the law: there is no base engine and no allocator interface.
@NullMarked
package io.cadastre.engine;

import org.jspecify.annotations.NullMarked;
