/// The commands that read the ledger, `who` and `history`, and those that verify it or trim it.
///
/// `who` takes the current holders from the store. The past comes from the ledger alone, since the store no longer
/// has it.
@NullMarked
package io.cadastre.cli.history;

import org.jspecify.annotations.NullMarked;
