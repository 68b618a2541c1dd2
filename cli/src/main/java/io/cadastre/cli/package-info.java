/// The executable: commands and assembly.
@NullMarked
package io.cadastre.cli;

import org.jspecify.annotations.NullMarked;
