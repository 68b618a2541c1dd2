/// Stores and ledgers as commands find them: new, old, restored from a backup, and not of each other.
@NullMarked
package io.cadastre.cli.session;

import org.jspecify.annotations.NullMarked;
