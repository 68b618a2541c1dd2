/// The command line as a whole, run in this process, as processes of their own, and through the launcher.
@NullMarked
package io.cadastre.cli;

import org.jspecify.annotations.NullMarked;
