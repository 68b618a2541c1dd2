/// The executable: commands and assembly.
///
/// A command is thin: it reads its options, has the [Session] assembled, asks the registrar or the ledger,
/// and prints. What is decided is decided by an engine, never here.
@NullMarked
package io.cadastre.cli;

import org.jspecify.annotations.NullMarked;
