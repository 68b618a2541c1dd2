package io.cadastre.cli;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.AddressAssignment;
import io.cadastre.engine.block.AssignAddressRequest;
import io.cadastre.engine.block.AssignRequest;
import io.cadastre.engine.block.AssignRequest.Ask;
import io.cadastre.engine.block.Assignment;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Claimant;
import io.cadastre.engine.block.Pool;
import io.cadastre.engine.block.Use;
import io.cadastre.registry.Request;
import io.cadastre.wire.kubernetes.NodeName;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which addresses are asked for, and for whom.
final class AssignOptions {

    /// More than this are not given at once.
    private static final int COUNT_MAX = 65_536;

    @Option(
            names = "--node",
            paramLabel = "NODE",
            required = true,
            description = "The node that needs them. There must be a Node document for it.")
    private String node = "";

    @Option(
            names = "--handle",
            paramLabel = "HANDLE",
            defaultValue = "",
            description = "What they can be released by, all at once; without slashes.")
    private String handle = "";

    @Option(
            names = "--num4",
            paramLabel = "COUNT",
            description = "How many IPv4 addresses; default 1 if --num6 is not said.")
    private @Nullable Integer num4;

    @Option(names = "--num6", paramLabel = "COUNT", description = "How many IPv6 addresses.")
    private @Nullable Integer num6;

    @Option(
            names = "--pool",
            paramLabel = "POOL",
            description = "The name or the CIDR of a pool they may be from; may be repeated.")
    private List<String> pools = List.of();

    @Option(names = "--ip", paramLabel = "ADDRESS", description = "This very address.")
    private @Nullable String ip;

    @Option(
            names = "--namespace",
            paramLabel = "NAMESPACE",
            defaultValue = "",
            description =
                    "The namespace that they are for. Pools select it by its label"
                            + " kubernetes.io/metadata.name; its other labels are not known here.")
    private String namespace = "";

    @Option(
            names = "--use",
            paramLabel = "USE",
            defaultValue = "Workload",
            description =
                    "What they are for: Workload, Tunnel or LoadBalancer; default"
                            + " ${DEFAULT-VALUE}.")
    private String use = "";

    /// Checks what can be checked without a store.
    ///
    /// @throws UsageException if it makes no sense
    void check() {
        NodeName.fault(node)
                .ifPresent(
                        fault -> {
                            throw new UsageException(fault);
                        });
        if (handle.indexOf('/') >= 0) {
            throw new UsageException("a handle must not contain a slash: '%s'".formatted(handle));
        }
        checkCount("--num4", count4());
        checkCount("--num6", count6());
        use();
        if (single()) {
            if ("".equals(ip)) {
                throw new UsageException("--ip is empty; name an address, or leave it out");
            }
            address();
            if (num4 != null || num6 != null || !pools.isEmpty()) {
                throw new UsageException(
                        "--ip names the address; it goes without --num4, --num6" + " and --pool");
            }
        }
    }

    private static void checkCount(String option, int count) {
        if (count < 0 || count > COUNT_MAX) {
            throw new UsageException(
                    "%s is %d; it must be from 0 to %d".formatted(option, count, COUNT_MAX));
        }
    }

    private Use use() {
        return Arrays.stream(Use.values())
                .filter(known -> known != Use.UNSTATED && known.toString().equals(use))
                .findFirst()
                .orElseThrow(
                        () ->
                                new UsageException(
                                        "--use is '%s' and none of Workload, Tunnel, LoadBalancer"
                                                .formatted(use)));
    }

    /// Whether one certain address is asked for.
    boolean single() {
        return ip != null;
    }

    String node() {
        return node;
    }

    String handle() {
        return handle;
    }

    Address address() {
        return AddressText.parse(Objects.requireNonNull(ip, "no address is asked for"));
    }

    private int count4() {
        if (num4 != null) {
            return num4;
        }
        return num6 == null ? 1 : 0;
    }

    private int count6() {
        return num6 == null ? 0 : num6;
    }

    private Claimant claimant() {
        return Claimant.of(handle, attributes());
    }

    private SortedMap<String, String> attributes() {
        var attributes = new TreeMap<String, String>();
        attributes.put("node", node);
        if (!namespace.isEmpty()) {
            attributes.put("namespace", namespace);
        }
        return attributes;
    }

    /// What was decided without an answer is passed on, so that it does not cost a second address.
    Request<BlockView, BlockChange, AddressAssignment> addressRequest(IpamDesk desk) {
        var request =
                AssignAddressRequest.of(address(), node, claimant(), desk.now()).forUse(use());
        return new Request<>(
                "ipam assign %s on %s".formatted(ip, node),
                (view, earlier) -> BlockEngine.assignAddress(view, request.after(earlier)));
    }

    Request<BlockView, BlockChange, Assignment> request(IpamDesk desk) {
        int count4 = count4();
        int count6 = count6();
        var requested = requestedPools(desk);
        var labels = new TreeMap<String, String>();
        if (!namespace.isEmpty()) {
            labels.put("kubernetes.io/metadata.name", namespace);
        }
        var request =
                AssignRequest.on(node, use(), desk.now())
                        .by(claimant())
                        .ipv4(Ask.of(count4).from(of(Family.IPV4, requested, count6 == 0)))
                        .ipv6(Ask.of(count6).from(of(Family.IPV6, requested, count4 == 0)))
                        .withNamespaceLabels(labels);
        return new Request<BlockView, BlockChange, Assignment>(
                        "ipam assign %d+%d on %s".formatted(count4, count6, node),
                        (view, earlier) -> BlockEngine.assign(view, request.after(earlier)))
                .stoppedAfter(request::stoppedAfter);
    }

    /// The pools of a family; all, if only this family is asked for, so that the law complains of
    /// those of the other.
    private static List<Prefix> of(Family family, List<Prefix> requested, boolean all) {
        return requested.stream().filter(cidr -> all || cidr.family() == family).toList();
    }

    private List<Prefix> requestedPools(IpamDesk desk) {
        return pools.isEmpty()
                ? List.of()
                : desk.ask(view -> pools.stream().map(text -> cidr(view.pools(), text)).toList());
    }

    private static Prefix cidr(List<Pool> known, String text) {
        return known.stream()
                .filter(pool -> pool.name().equals(text))
                .findFirst()
                .map(Pool::cidr)
                .orElseGet(() -> parsed(text));
    }

    private static Prefix parsed(String text) {
        try {
            return Prefix.parse(text);
        } catch (IllegalArgumentException _) {
            throw new RefusedException(
                    "the given pool (%s) does not exist, or is not enabled".formatted(text));
        }
    }
}
