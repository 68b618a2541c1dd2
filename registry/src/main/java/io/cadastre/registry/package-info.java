/// The registrar, the books it writes in, and the ledger of what was decided.
///
/// The only loop that writes is the registrar.
@NullMarked
package io.cadastre.registry;

import org.jspecify.annotations.NullMarked;
