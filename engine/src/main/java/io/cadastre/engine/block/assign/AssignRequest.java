package io.cadastre.engine.block.assign;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.Owner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A request for any addresses on a host.
///
/// @param maxBlocksPerHost how many blocks the host may have in a family; zero if not said
/// @param maxPerHandle how many addresses of a family the handle may have; zero if not limited
/// @param namespaceLabels of the namespace that the addresses are for; none if there is none
/// @param attempted earlier decisions about this request that may or may not have been applied, and
///     parts of decisions that were saved
public record AssignRequest(
        String host,
        AddressUse use,
        Instant now,
        Requester requester,
        Ask ipv4,
        Ask ipv6,
        int maxBlocksPerHost,
        int maxPerHandle,
        SortedMap<String, String> namespaceLabels,
        List<Attempt<Assignment>> attempted) {

    /// How many addresses of one family, and from where.
    ///
    /// @param pools which pools they may be from, in this order; any if none is named
    /// @param hostReserve what the host keeps for itself in a new block
    public record Ask(int count, List<Prefix> pools, HostReserve hostReserve) {

        public static final Ask NOTHING = of(0);

        public Ask {
            if (count < 0) {
                throw new IllegalArgumentException("cannot assign %d addresses".formatted(count));
            }
            pools = List.copyOf(pools);
        }

        public static Ask of(int count) {
            return new Ask(count, List.of(), new HostReserve.None());
        }

        public Ask from(List<Prefix> requested) {
            return new Ask(count, requested, hostReserve);
        }

        public Ask reserving(HostReserve reserve) {
            return new Ask(count, pools, reserve);
        }
    }

    public AssignRequest {
        if (maxBlocksPerHost < 0 || maxPerHandle < 0) {
            throw new IllegalArgumentException("a limit is not negative");
        }
        namespaceLabels = Collections.unmodifiableSortedMap(new TreeMap<>(namespaceLabels));
        attempted = List.copyOf(attempted);
    }

    /// A request for no addresses yet and without a handle.
    public static AssignRequest on(String host, AddressUse use, Instant now) {
        return new AssignRequest(
                host,
                use,
                now,
                Requester.ANONYMOUS,
                Ask.NOTHING,
                Ask.NOTHING,
                0,
                0,
                Collections.emptySortedMap(),
                List.of());
    }

    public AssignRequest by(Requester other) {
        return new AssignRequest(
                host, use, now, other, ipv4, ipv6, maxBlocksPerHost, maxPerHandle, namespaceLabels, attempted);
    }

    public AssignRequest ipv4(Ask ask) {
        return new AssignRequest(
                host, use, now, requester, ask, ipv6, maxBlocksPerHost, maxPerHandle, namespaceLabels, attempted);
    }

    public AssignRequest ipv6(Ask ask) {
        return new AssignRequest(
                host, use, now, requester, ipv4, ask, maxBlocksPerHost, maxPerHandle, namespaceLabels, attempted);
    }

    public AssignRequest withMaxBlocksPerHost(int blocks) {
        return new AssignRequest(
                host, use, now, requester, ipv4, ipv6, blocks, maxPerHandle, namespaceLabels, attempted);
    }

    public AssignRequest withMaxPerHandle(int addresses) {
        return new AssignRequest(
                host, use, now, requester, ipv4, ipv6, maxBlocksPerHost, addresses, namespaceLabels, attempted);
    }

    public AssignRequest withNamespaceLabels(SortedMap<String, String> labels) {
        return new AssignRequest(
                host, use, now, requester, ipv4, ipv6, maxBlocksPerHost, maxPerHandle, labels, attempted);
    }

    /// The same request, asked again.
    ///
    /// @param earlier decisions about it whose commits were not answered, and parts that were saved
    public AssignRequest after(List<Decision<BlockChange, Assignment>> earlier) {
        return new AssignRequest(
                host,
                use,
                now,
                requester,
                ipv4,
                ipv6,
                maxBlocksPerHost,
                maxPerHandle,
                namespaceLabels,
                earlier.stream().map(Attempt::of).toList());
    }

    /// What the request came to if only parts of it could be saved. Calico, too, returns what it
    /// assigned before it had to stop.
    ///
    /// @param parts what was saved
    /// @param why there is no more
    public Assignment stoppedAfter(List<Decision<BlockChange, Assignment>> parts, String why) {
        var shares = new ArrayList<Assignment.Share>();
        for (var family : Family.values()) {
            var leases = parts.stream()
                    .flatMap(part -> Attempt.of(part).grants().stream())
                    .map(Attempt.Grant::lease)
                    .filter(lease -> lease.address().family() == family)
                    .toList();
            if (!leases.isEmpty()) {
                var ask = ask(family);
                shares.add(new Assignment.Share(family, ask.count(), ask.hostReserve(), leases, List.of()));
            }
        }
        return new Assignment.Stopped(shares, new BlockRefusal.Because(why));
    }

    public Ask ask(Family family) {
        return switch (family) {
            case IPV4 -> ipv4;
            case IPV6 -> ipv6;
        };
    }

    /// The owner that new blocks are leased to.
    public Owner owner() {
        return use == AddressUse.LOAD_BALANCER ? Owner.virtual(host) : Owner.host(host);
    }

    boolean triedBefore(Prefix block) {
        return attempted.stream()
                .filter(attempt -> !attempt.saved())
                .flatMap(attempt -> attempt.grants().stream())
                .anyMatch(grant -> grant.lease().network().equals(block));
    }
}
