/// The registrar, the books it writes in, and the ledger of what was decided.
///
/// The only loop that writes is [io.cadastre.registry.Registrar].
@NullMarked
package io.cadastre.registry;

import org.jspecify.annotations.NullMarked;
