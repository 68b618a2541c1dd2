/// The commands that run until they are stopped: `up`, `agent` and `controller`.
///
/// Each assembles a process of [io.cadastre.agent] or [io.cadastre.controller] and shuts it down in order on a
/// signal.
@NullMarked
package io.cadastre.cli.run;

import org.jspecify.annotations.NullMarked;
