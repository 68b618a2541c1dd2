/// What a command is made of, whatever it does: its context, its exit codes, the ways in which it refuses, and how
/// it reads values and prints tables and documents.
///
/// Values are read and documents printed as the Go tools do whose place a command takes, so that scripts go on
/// working. No store is known here.
@NullMarked
package io.cadastre.cli.command;

import org.jspecify.annotations.NullMarked;
