/// The commands that go on until they are stopped: `up`, `agent` and `controller`.
///
/// Each assembles a process of [io.cadastre.agent] or [io.cadastre.controller] and ends it in order when a signal
/// comes.
@NullMarked
package io.cadastre.cli.run;

import org.jspecify.annotations.NullMarked;
