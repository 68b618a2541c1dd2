/// The parts that all commands share: context, exit codes, refusals, and how they read values and print tables,
/// documents and explanations.
///
/// Values are read and documents printed as the Go tools do that a command replaces, so that scripts keep working.
/// This package knows no store.
@NullMarked
package io.cadastre.cli.command;

import org.jspecify.annotations.NullMarked;
