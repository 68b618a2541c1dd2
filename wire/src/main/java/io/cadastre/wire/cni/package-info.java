/// The Container Network Interface as a plugin sees it: calls, configurations, results and errors in
/// every version from 0.1.0 to 1.1.0, without any input or output.
///
/// Matched: `containernetworking/cni` at `3f51e88`, its library and not only its text.
@NullMarked
package io.cadastre.wire.cni;

import org.jspecify.annotations.NullMarked;
