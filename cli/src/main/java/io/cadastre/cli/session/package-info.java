/// The store that a command works on and the ledger beside it: which ones the options mean, and how they are opened
/// to write, to look, or to explain.
///
/// A ledger that does not belong to its store is noticed here, before anything is decided.
@NullMarked
package io.cadastre.cli.session;

import org.jspecify.annotations.NullMarked;
