package io.cadastre.agent.net;

import io.cadastre.address.Family;
import io.cadastre.linux.Errno;
import io.cadastre.linux.LinuxException;
import io.cadastre.linux.Sysctl;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The kernel settings of a link beside its addresses and routes.
record LinkSettings(LinkPlan plan, Consumer<String> log) {

    private static final String ALL_FORWARDING = "net/ipv6/conf/all/forwarding";

    /// @param hostLinks the names of all links of the host
    void writeOnHost(Sysctl settings, Supplier<List<String>> hostLinks) {
        var link = plan.hostLink();
        if (plan.has(Family.IPV4)) {
            tryWriting(settings, "net/ipv4/neigh/%s/proxy_delay".formatted(link), "0");
            settings.writeAll(each(
                    "1",
                    "net/ipv4/conf/%s/route_localnet".formatted(link),
                    "net/ipv4/conf/%s/proxy_arp".formatted(link),
                    "net/ipv4/conf/%s/forwarding".formatted(link)));
        }
        if (plan.has(Family.IPV6)) {
            settings.writeAll(each(
                    "0",
                    "net/ipv6/conf/%s/accept_dad".formatted(link),
                    "net/ipv6/conf/%s/disable_ipv6".formatted(link)));
            settings.writeAll(each(
                    "1", "net/ipv6/conf/%s/proxy_ndp".formatted(link), "net/ipv6/conf/%s/forwarding".formatted(link)));
        }
        tryWriting(settings, "net/ipv6/conf/%s/accept_ra".formatted(link), "0");
        if (plan.has(Family.IPV6) && !is(settings, ALL_FORWARDING)) {
            forwardIpv6(settings, hostLinks.get());
        }
    }

    /// The kernel looks at the link by which a packet comes in, and those of other nodes come by any. It
    /// forwards for all links or for none; `force_forwarding` of single links, since Linux 6.17, is lost
    /// whenever `all/forwarding` is written.
    ///
    /// A link that forwards drops the default route that it was advertised, and takes no new one, unless
    /// `accept_ra` is 2.
    private void forwardIpv6(Sysctl settings, List<String> hostLinks) {
        for (var link : hostLinks) {
            var advertised = "net/ipv6/conf/%s/accept_ra".formatted(link);
            if (is(settings, advertised) && !is(settings, "net/ipv6/conf/%s/forwarding".formatted(link))) {
                tryWriting(settings, advertised, "2");
            }
        }
        settings.write(ALL_FORWARDING, "1");
        log.accept(
                "%s is 1 now: pods with IPv6 need it; links that took router advertisements still do (accept_ra is 2)"
                        .formatted(ALL_FORWARDING));
    }

    /// What keeps the host from carrying packets of the pod, or empty.
    Optional<String> findMissingOnHost(Sysctl settings) {
        var lacking = new ArrayList<String>();
        if (plan.has(Family.IPV4)) {
            for (var name : List.of("proxy_arp", "forwarding")) {
                var setting = "net/ipv4/conf/%s/%s".formatted(plan.hostLink(), name);
                if (!is(settings, setting)) {
                    lacking.add(setting);
                }
            }
        }
        if (plan.has(Family.IPV6) && !is(settings, ALL_FORWARDING)) {
            lacking.add(ALL_FORWARDING);
        }
        return lacking.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", lacking));
    }

    /// Whether a setting is there and on.
    private static boolean is(Sysctl settings, String name) {
        try {
            return settings.read(name).equals("1");
        } catch (LinuxException none) {
            if (none.errno() != Errno.ENOENT) {
                throw none;
            }
            return false;
        }
    }

    /// Before the pod's end is up: afterwards the kernel has begun to ask around.
    void writeBeforeUp(Sysctl pod) {
        if (plan.has(Family.IPV6)) {
            pod.write("net/ipv6/conf/%s/accept_dad".formatted(plan.ifname()), "0");
        }
    }

    void enableIpv6(Sysctl pod) {
        pod.writeAll(each(
                "0",
                "net/ipv6/conf/all/disable_ipv6",
                "net/ipv6/conf/default/disable_ipv6",
                "net/ipv6/conf/lo/disable_ipv6"));
    }

    void writeForwarding(Sysctl pod) {
        var values = new LinkedHashMap<String, String>();
        var value = plan.forwarding() ? "1" : "0";
        if (plan.has(Family.IPV4)) {
            values.put("net/ipv4/ip_forward", value);
        }
        if (plan.has(Family.IPV6)) {
            values.put("net/ipv6/conf/all/forwarding", value);
        }
        pod.writeAll(values);
    }

    private static SequencedMap<String, String> each(String value, String... names) {
        var values = new LinkedHashMap<String, String>();
        for (var name : names) {
            values.put(name, value);
        }
        return values;
    }

    /// Writes a value, where a kernel without the setting is as good.
    private void tryWriting(Sysctl settings, String name, String value) {
        try {
            settings.write(name, value);
        } catch (LinuxException refused) {
            log.accept(refused.getMessage());
        }
    }
}
