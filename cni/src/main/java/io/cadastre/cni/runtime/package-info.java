/// The side of CNI that calls plugins: finds the configuration of a network, runs its plugins one after the
/// other, and caches what they answered.
///
/// Matched: `libcni` and `cnitool` of `containernetworking/cni` at `3f51e88`, and their files on disk.
/// Failures are a [io.cadastre.wire.cni.CniException]: with the code of the plugin that failed, or
/// with code 0 if it was not a plugin's own words.
@NullMarked
package io.cadastre.cni.runtime;

import org.jspecify.annotations.NullMarked;
