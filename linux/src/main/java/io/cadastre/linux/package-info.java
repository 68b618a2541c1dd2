/// The Linux network, by system calls: namespaces, links, addresses, routes, neighbours, kernel settings,
/// file locks, and which host answers on a link.
///
/// Nothing here is native code of ours; the C library is called through `java.lang.foreign`. What is
/// read is an immutable record, what is missing is an empty [java.util.Optional], and what the kernel
/// refuses is a [io.cadastre.linux.LinuxException] that carries its errno.
///
/// A thread is in one namespace, and the threads that it starts begin there. So no thread stays: a
/// [io.cadastre.linux.Namespace] is visited by a platform thread that does one piece of work and ends, and
/// a [io.cadastre.linux.Netlink] opened there is used from everywhere afterwards.
///
/// A pod's interface, with the host's end in the host's namespace:
///
/// ```java
/// try (var host = Namespace.current();
///         var pod = Namespace.open("/run/netns/pod");
///         var onHost = Netlink.open(host);
///         var inPod = Netlink.open(pod)) {
///
///     inPod.links().createVeth(
///             VethEnd.named("eth0").withMtu(1440),
///             VethEnd.named("cali12345678901").withMtu(1440).withMac(MacAddress.parse("ee:ee:ee:ee:ee:ee")),
///             host);
///     var end = onHost.links().find("cali12345678901").orElseThrow();
///     var eth0 = inPod.links().find("eth0").orElseThrow();
///
///     new Sysctl(host).write("net/ipv4/conf/cali12345678901/proxy_arp", "1");
///     onHost.links().setUp(end.index());
///     inPod.links().setUp(eth0.index());
///
///     var address = Address.parse("10.65.0.2");
///     var gateway = Address.parse("169.254.1.1");
///     inPod.routes().add(Route.direct(new Prefix(gateway, 32), eth0.index()));
///     inPod.routes().add(Route.via(Prefix.parse("0.0.0.0/0"), gateway, eth0.index()));
///     inPod.addresses().add(LinkAddress.alone(eth0.index(), address));
///     onHost.routes().add(Route.direct(new Prefix(address, 32), end.index()));
/// }
/// ```
@NullMarked
package io.cadastre.linux;

import org.jspecify.annotations.NullMarked;
