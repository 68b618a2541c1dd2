package io.cadastre.agent.spiderpool;

import io.cadastre.engine.pool.MasterSubnets;
import io.cadastre.linux.Link;
import io.cadastre.linux.LinkAddress;
import io.cadastre.linux.LinuxException;
import io.cadastre.linux.Namespace;
import io.cadastre.linux.Netlink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Finds the interface of the node that a pod's interface is a part of: with SR-IOV, the physical function of a virtual
/// one. The pod's link says which device it is, and sysfs of the node says to which function that belongs.
///
/// @param devices where sysfs has the devices of PCI
record PhysicalFunctions(Path devices) {

    static final PhysicalFunctions OF_HOST = new PhysicalFunctions(Path.of("/sys/bus/pci/devices"));

    /// The subnets of the physical function.
    ///
    /// @param namespace the path of the pod's network namespace
    /// @param nic the interface there
    MasterSubnets subnets(String namespace, String nic) {
        if (namespace.isEmpty()) {
            return new MasterSubnets.Unknown("podNetNamespace is empty");
        }
        try {
            var device = device(namespace, nic);
            if (device.isEmpty()) {
                return new MasterSubnets.Unknown(
                        "failed to get pf device id from vf \"%s\" for pod: it has no device of hardware"
                                .formatted(nic));
            }
            return find(device.get())
                    .map(PhysicalFunctions::onHost)
                    .orElseGet(() -> new MasterSubnets.Unknown(
                            "failed to get pf device id from vf \"%s\" for pod: %s is not a virtual function"
                                    .formatted(nic, device.get())));
        } catch (LinuxException | UncheckedIOException failed) {
            return new MasterSubnets.Unknown(
                    "failed to get pf device id from vf \"%s\" for pod: %s".formatted(nic, failed.getMessage()));
        }
    }

    private static Optional<String> device(String namespace, String nic) {
        try (var inPod = Namespace.open(namespace);
                var netlink = Netlink.open(inPod)) {
            return netlink.links().find(nic).map(Link::device).filter(device -> !device.isEmpty());
        }
    }

    /// The name of the interface of the function that a virtual one belongs to; empty if the device is not a virtual
    /// one.
    Optional<String> find(String device) {
        if (device.indexOf('/') >= 0) {
            return Optional.empty();
        }
        var interfaces = devices.resolve(device).resolve("physfn").resolve("net");
        if (!Files.isDirectory(interfaces)) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> names = Files.newDirectoryStream(interfaces)) {
            for (var name : names) {
                return Optional.of(name.getFileName().toString());
            }
            return Optional.empty();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /// The addresses of an interface of the node.
    static MasterSubnets onHost(String master) {
        try (var host = Namespace.current();
                var netlink = Netlink.open(host)) {
            return netlink.links()
                    .find(master)
                    .<MasterSubnets>map(link -> new MasterSubnets.Known(
                            master,
                            netlink.addresses().ofLink(link.index()).stream()
                                    .map(LinkAddress::address)
                                    .toList()))
                    .orElseGet(
                            () -> new MasterSubnets.Unknown("failed to get link \"%s\" on the host".formatted(master)));
        }
    }
}
