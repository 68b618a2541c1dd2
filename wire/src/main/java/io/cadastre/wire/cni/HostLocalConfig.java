package io.cadastre.wire.cni;

import io.cadastre.address.Address;
import io.cadastre.engine.hostlocal.WrittenRange;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The configuration of host-local for a network, with the addresses that are asked for. Ranges are as they
/// are written; the law decides what they mean and whether they fit together.
///
/// @param writtenVersion the version of the configuration, empty if it is not written
/// @param rangeSets those of the runtime first, then the one written in the old style, then the others
/// @param resolvConf the file that says how names are resolved, or empty
/// @param requested without repetitions
public record HostLocalConfig(
        String network,
        String writtenVersion,
        List<List<WrittenRange>> rangeSets,
        List<CniRoute> routes,
        String dataDir,
        String resolvConf,
        List<Address> requested) {

    public static final String DATA_DIR = "/var/lib/cni/networks";

    private static final List<CniArguments.Key> KEYS =
            List.of(new CniArguments.Key("IP", CniArguments.Kind.ADDRESS_OR_CIDR));

    public HostLocalConfig {
        rangeSets = rangeSets.stream().<List<WrittenRange>>map(List::copyOf).toList();
        routes = List.copyOf(routes);
        requested = List.copyOf(requested);
    }

    /// Reads what ADD and CHECK need.
    ///
    /// @param args the text of `CNI_ARGS`
    /// @throws CniException if anything in it is unreadable
    public static HostLocalConfig read(NetworkConfig config, String args) {
        try {
            var ipam = ipam(config);
            return new HostLocalConfig(
                    config.name(),
                    config.writtenVersion(),
                    rangeSets(config, ipam),
                    ipam.objects("routes").stream().map(CniRoute::read).toList(),
                    dataDir(ipam),
                    ipam.text("resolvConf"),
                    requested(config, args));
        } catch (CniException unreadable) {
            throw unreadable.as(CniCode.INTERNAL, "");
        }
    }

    /// Where the addresses of the network are kept: all that DEL and GC need. Nothing else is read, so that
    /// a fault elsewhere in the configuration does not keep an address from being given back.
    ///
    /// @throws CniException if even that is unreadable
    public static String dataDir(NetworkConfig config) {
        try {
            return dataDir(ipam(config));
        } catch (CniException unreadable) {
            throw unreadable.as(CniCode.INTERNAL, "");
        }
    }

    private static Members ipam(NetworkConfig config) {
        return config.ipam().orElseThrow(() -> new CniException(CniCode.INTERNAL, "IPAM config missing 'ipam' key"));
    }

    private static String dataDir(Members ipam) {
        var written = ipam.text("dataDir");
        return written.isEmpty() ? DATA_DIR : written;
    }

    private static List<List<WrittenRange>> rangeSets(NetworkConfig config, Members ipam) {
        var sets = new ArrayList<List<WrittenRange>>();
        config.runtimeConfig().ifPresent(runtime -> sets.addAll(rangeSets(runtime, "ipRanges")));
        var oldStyle = range(ipam);
        if (oldStyle.subnet().isPresent()) {
            sets.add(List.of(oldStyle));
        }
        sets.addAll(rangeSets(ipam, "ranges"));
        return sets;
    }

    private static List<List<WrittenRange>> rangeSets(Members parent, String name) {
        return parent.objectLists(name).stream()
                .map(set -> set.stream().map(HostLocalConfig::range).toList())
                .toList();
    }

    /// @throws CniException if an address is not one
    private static WrittenRange range(Members members) {
        var range = WrittenRange.nothing();
        // Written but empty is not the same as not written.
        if (members.find("subnet").isPresent()) {
            var subnet = InterfaceAddress.parse(members.text("subnet"));
            range = range.in(subnet.ip(), subnet.length());
        }
        range = findAddress(members, "rangeStart").map(range::from).orElse(range);
        range = findAddress(members, "rangeEnd").map(range::to).orElse(range);
        return findAddress(members, "gateway").map(range::through).orElse(range);
    }

    private static Optional<Address> findAddress(Members members, String name) {
        return Optional.of(members.text(name)).filter(text -> !text.isEmpty()).map(InterfaceAddress::parseAddress);
    }

    private static List<Address> requested(NetworkConfig config, String args) {
        var requested = new LinkedHashSet<Address>();
        CniArguments.parse(args, KEYS).address("IP").ifPresent(requested::add);
        Stream.concat(config.args().flatMap(all -> all.object("cni")).stream(), config.runtimeConfig().stream())
                .flatMap(parent -> parent.texts("ips").stream())
                .filter(text -> !text.isEmpty())
                .map(CniArguments::parseAddressOrCidr)
                .forEach(requested::add);
        return List.copyOf(requested);
    }
}
