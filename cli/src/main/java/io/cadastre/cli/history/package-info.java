/// The commands that read the ledger, `who` and `history`, and those that verify it or trim it.
///
/// `who` and `history` answer from the ledger alone, so that they can tell of what the store no longer has.
@NullMarked
package io.cadastre.cli.history;

import org.jspecify.annotations.NullMarked;
