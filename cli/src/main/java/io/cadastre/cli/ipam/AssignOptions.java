package io.cadastre.cli.ipam;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.registry.Request;
import io.cadastre.wire.kubernetes.NodeName;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The requested addresses, and their holder.
final class AssignOptions {

    /// The most addresses of one request.
    private static final int COUNT_MAX = 65_536;

    @Option(
            names = "--node",
            paramLabel = "NODE",
            required = true,
            description = "Node to assign the addresses to. It must have a Node document.")
    private String node = "";

    @Option(
            names = "--handle",
            paramLabel = "HANDLE",
            defaultValue = "",
            description = "Handle to record the addresses under; `release-handle` frees them together. No '/'.")
    private String handle = "";

    @Option(
            names = "--num4",
            paramLabel = "COUNT",
            description = "Number of IPv4 addresses; default 1 if --num6 is not given.")
    private @Nullable Integer num4;

    @Option(names = "--num6", paramLabel = "COUNT", description = "Number of IPv6 addresses.")
    private @Nullable Integer num6;

    @Option(
            names = "--pool",
            paramLabel = "POOL",
            description = "Name or CIDR of a pool to assign from; may be repeated.")
    private List<String> pools = List.of();

    @Option(names = "--ip", paramLabel = "ADDRESS", description = "Assign this address.")
    private @Nullable String ip;

    @Option(
            names = "--namespace",
            paramLabel = "NAMESPACE",
            defaultValue = "",
            description = "Namespace that the addresses are for. Pools can select it only by its"
                    + " label kubernetes.io/metadata.name.")
    private String namespace = "";

    @Option(
            names = "--use",
            paramLabel = "USE",
            defaultValue = "Workload",
            description = "Intended use: Workload, Tunnel or LoadBalancer; default ${DEFAULT-VALUE}.")
    private String use = "";

    /// Checks what can be checked without a store.
    ///
    /// @throws UsageException if the options contradict each other
    void check() {
        NodeName.fault(node).ifPresent(fault -> {
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
                throw new UsageException("--ip is empty; give an address, or omit the option");
            }
            address();
            if (num4 != null || num6 != null || !pools.isEmpty()) {
                throw new UsageException("--ip cannot be combined with --num4, --num6 or --pool");
            }
        }
    }

    private static void checkCount(String option, int count) {
        if (count < 0 || count > COUNT_MAX) {
            throw new UsageException("%s is %d; it must be from 0 to %d".formatted(option, count, COUNT_MAX));
        }
    }

    private AddressUse use() {
        return Arrays.stream(AddressUse.values())
                .filter(known ->
                        known != AddressUse.UNSTATED && known.toString().equals(use))
                .findFirst()
                .orElseThrow(() -> new UsageException(
                        "--use is '%s'; it must be one of Workload, Tunnel, LoadBalancer".formatted(use)));
    }

    /// Whether the request names an address.
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
        return TypedAddress.parse(Objects.requireNonNull(ip, "no address is requested"));
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

    private Requester requester() {
        return Requester.of(handle, attributes());
    }

    private SortedMap<String, String> attributes() {
        var attributes = new TreeMap<String, String>();
        attributes.put("node", node);
        if (!namespace.isEmpty()) {
            attributes.put("namespace", namespace);
        }
        return attributes;
    }

    /// Unanswered attempts are passed on, so that a repeated request does not take a second address.
    Request<BlockView, BlockChange, AddressAssignment> addressRequest(CalicoSession ipam) {
        var request = AssignAddressRequest.of(address(), node, requester(), ipam.now())
                .forUse(use());
        return new Request<>(
                "ipam assign %s on %s".formatted(ip, node),
                (view, earlier) -> BlockEngine.assignAddress(view, request.after(earlier)));
    }

    Request<BlockView, BlockChange, Assignment> request(CalicoSession ipam) {
        int count4 = count4();
        int count6 = count6();
        var requested = requestedPools(ipam);
        var labels = new TreeMap<String, String>();
        if (!namespace.isEmpty()) {
            labels.put("kubernetes.io/metadata.name", namespace);
        }
        var request = AssignRequest.on(node, use(), ipam.now())
                .by(requester())
                .ipv4(Ask.of(count4).from(of(Family.IPV4, requested, count6 == 0)))
                .ipv6(Ask.of(count6).from(of(Family.IPV6, requested, count4 == 0)))
                .withNamespaceLabels(labels);
        return new Request<BlockView, BlockChange, Assignment>(
                        "ipam assign %d+%d on %s".formatted(count4, count6, node),
                        (view, earlier) -> BlockEngine.assign(view, request.after(earlier)))
                .stoppedAfter(request::stoppedAfter);
    }

    /// The pools of a family; all pools, if only this family is requested, so that the engine refuses those of
    /// the other.
    private static List<Prefix> of(Family family, List<Prefix> requested, boolean all) {
        return requested.stream().filter(cidr -> all || cidr.family() == family).toList();
    }

    private List<Prefix> requestedPools(CalicoSession ipam) {
        return pools.isEmpty()
                ? List.of()
                : ipam.ask(view ->
                        pools.stream().map(text -> cidr(view.pools(), text)).toList());
    }

    private static Prefix cidr(List<IpPool> known, String text) {
        return known.stream()
                .filter(pool -> pool.name().equals(text))
                .findFirst()
                .map(IpPool::cidr)
                .orElseGet(() -> parsed(text));
    }

    private static Prefix parsed(String text) {
        try {
            return Prefix.parse(text);
        } catch (IllegalArgumentException _) {
            throw new CommandRefusedException("the given pool (%s) does not exist, or is not enabled".formatted(text));
        }
    }
}
