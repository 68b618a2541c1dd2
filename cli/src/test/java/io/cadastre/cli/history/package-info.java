/// What the ledger tells, and how it is verified and trimmed.
@NullMarked
package io.cadastre.cli.history;

import org.jspecify.annotations.NullMarked;
