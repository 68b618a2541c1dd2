/// Processes that are started, watched and stopped, alone and against rivals.
@NullMarked
package io.cadastre.cli.run;

import org.jspecify.annotations.NullMarked;
