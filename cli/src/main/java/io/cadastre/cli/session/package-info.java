/// The store of a command and the ledger beside it: how options select them, and how they are opened to write, to
/// read or to explain.
///
/// A ledger that does not belong to its store is detected here, before anything is decided.
@NullMarked
package io.cadastre.cli.session;

import org.jspecify.annotations.NullMarked;
