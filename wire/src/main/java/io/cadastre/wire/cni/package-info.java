/// The Container Network Interface as a plugin sees it: calls, configurations, results and errors in every
/// version from 0.1.0 to 1.1.0, without any input or output.
///
/// Matched: `containernetworking/cni` at `3f51e88`, its library and not only its text.
///
/// - A call: [io.cadastre.wire.cni.CniPlugin] checks it in the order of the reference code, since the order
///   decides which of several faults is reported, and gives handlers a [io.cadastre.wire.cni.CniCall].
/// - A configuration: [io.cadastre.wire.cni.NetworkConfig] is parsed once. What a plugin knows of it is read
///   from its members: [io.cadastre.wire.cni.CalicoNetConfig], [io.cadastre.wire.cni.CalicoIpamConfig],
///   [io.cadastre.wire.cni.HostLocalConfig]. Members are matched as Go matches the fields of a structure.
/// - A result: [io.cadastre.wire.cni.CniResult] has the form of the newest version in memory, and is printed
///   in the version of the configuration, without what that version cannot say. A failure is a
///   [io.cadastre.wire.cni.CniError].
/// - A frame: [io.cadastre.wire.cni.DoorbellFrame] carries environment and input of a plugin to the agent,
///   and the answer back.
@NullMarked
package io.cadastre.wire.cni;

import org.jspecify.annotations.NullMarked;
