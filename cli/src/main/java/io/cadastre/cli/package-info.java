/// The executable: the process, the table of all commands, and what becomes of an exception.
///
/// This package knows every command, and no command knows it. A group of commands has a package of its own; what
/// all of them are made of is in [io.cadastre.cli.command], and the stores they work on in
/// [io.cadastre.cli.session].
///
/// A command is thin: it reads its options, has the [io.cadastre.cli.session.Session] assembled, asks the
/// registrar or the ledger, and prints. What is decided is decided by an engine, never here.
@NullMarked
package io.cadastre.cli;

import org.jspecify.annotations.NullMarked;
