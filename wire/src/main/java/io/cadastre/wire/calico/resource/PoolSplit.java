package io.cadastre.wire.calico.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.engine.Decision;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.calico.IpPoolDocument;
import io.cadastre.wire.json.Fields;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// Replaces a pool by equal parts of it. Blocks and affinities stay as they are: each lies in one of the
/// parts.
///
/// Many parts take several commits. The pool is deleted with the last of them, so a split that was
/// interrupted leaves the pool and some of its parts, and a repeated request creates the others.
///
/// Calico disables the pool before it looks at the number, and with the number 0 deletes it without
/// creating any part. Here everything is checked first.
public final class PoolSplit {

    private static final int NAME_CHARACTERS_MAX = 253;
    private static final int NAME_CHARACTERS_KEPT = 245;

    /// For each part the store is asked whether a pool has its name.
    private static final int PARTS_MAX = 1024;

    private PoolSplit() {}

    /// Which pool, and into how many parts.
    ///
    /// @param name empty if any will do
    /// @param cidr empty if any will do
    public record Wanted(String name, String cidr, int parts) {}

    /// What a request to split a pool came to.
    public sealed interface Outcome {

        /// The pool was replaced.
        ///
        /// @param parts the new pools, in the order of their addresses
        record Done(String pool, List<Part> parts) implements Outcome {
            public Done {
                parts = List.copyOf(parts);
            }
        }

        record Refused(String sentence) implements Outcome {}
    }

    public record Part(String name, Prefix cidr) {}

    /// Splits a pool.
    ///
    /// @param uids where each new pool gets its identity
    public static Decision<DocumentChange, Outcome> of(
            ResourceView view, Wanted wanted, Supplier<UUID> uids, Instant now) {
        if (wanted.name().isEmpty() && wanted.cidr().isEmpty()) {
            return refused("no name or CIDR provided. Provide a name or CIDR to denote the IP pool to" + " split");
        }
        if (!locked(view)) {
            return refused("datastore is not locked. Run the `calicoctl datastore migrate lock` command in"
                    + " order split the IP pools");
        }
        var found = find(view, wanted);
        if (found.isEmpty()) {
            return refused(
                    !wanted.name().isEmpty() && wanted.cidr().isEmpty()
                            ? "unable to find IP pool with name %1$s: resource does not exist: IPPool(%1$s) with error: <nil>"
                                    .formatted(wanted.name())
                            : "unable to find IP pool %s covering the specified CIDR %s"
                                    .formatted(wanted.name(), wanted.cidr()));
        }
        var pool = found.get();
        var cidr = pool.pool().cidr();
        var fault = fault(cidr, wanted.parts());
        return fault.isPresent()
                ? refused("error splitting the CIDR %s into %d CIDRs: %s".formatted(cidr, wanted.parts(), fault.get()))
                : split(view, pool, wanted.parts(), uids, now);
    }

    private static boolean locked(ResourceView view) {
        return view.find(CalicoKinds.CLUSTER, "default")
                .filter(stored -> !stored.json().at("/spec/datastoreReady").asBoolean(true))
                .isPresent();
    }

    private static Optional<IpPoolDocument> find(ResourceView view, Wanted wanted) {
        return view.pools().stream()
                .filter(pool -> wanted.name().isEmpty() || pool.pool().name().equals(wanted.name()))
                .filter(pool ->
                        wanted.cidr().isEmpty() || pool.pool().cidr().toString().equals(wanted.cidr()))
                .findFirst();
    }

    private static Optional<String> fault(Prefix cidr, int parts) {
        if (parts < 2 || Integer.bitCount(parts) != 1) {
            return Optional.of("number to split CIDR into is not a valid power of 2: %d".formatted(parts));
        }
        if (cidr.length() + Integer.numberOfTrailingZeros(parts) > cidr.family().bits()) {
            return Optional.of("the CIDR %s is not large enough to be split into %d parts".formatted(cidr, parts));
        }
        if (parts > PARTS_MAX) {
            return Optional.of(
                    "more than %d parts are too many for one request; split the parts again".formatted(PARTS_MAX));
        }
        return Optional.empty();
    }

    private static Decision<DocumentChange, Outcome> split(
            ResourceView view, IpPoolDocument pool, int number, Supplier<UUID> uids, Instant now) {
        var name = pool.pool().name();
        var parts = new ArrayList<Part>();
        var changes = new ArrayList<DocumentChange>();
        var whole = pool.pool().cidr();
        var subdivision = new Subdivision(whole, whole.length() + Integer.numberOfTrailingZeros(number));
        for (int index = 0; index < number; index++) {
            parts.add(new Part(partName(name, index), subdivision.part(index)));
        }
        // Before anything else, since it may have to be asked once for each.
        var there = parts.stream().map(part -> partThere(view, part)).toList();
        for (int index = 0; index < number; index++) {
            var part = parts.get(index);
            if (there.get(index) == Presence.MADE_BEFORE) {
                continue;
            }
            if (there.get(index) == Presence.ANOTHERS) {
                return refused("resource already exists: IPPool(%s)".formatted(part.name()));
            }
            var json = json(pool, part);
            var faults = IpPoolRules.faults(new Fields(CalicoKinds.POOL.key(name)), json);
            if (!faults.isEmpty()) {
                return refused(ResourceFault.text(faults));
            }
            changes.add(Resources.creating(
                    CalicoKinds.POOL,
                    part.name(),
                    IpPoolDocument.create(part.name(), json, uids.get(), now).encode()));
        }
        changes.add(Resources.deleting(
                CalicoKinds.POOL,
                name,
                view.find(CalicoKinds.POOL, name).orElseThrow().content()));
        var seams = IntStream.rangeClosed(1, changes.size()).boxed().toList();
        return new Decision<>(new Outcome.Done(name, parts), changes, List.of(), seams, Decision.Extent.WHOLE);
    }

    /// What there is under the name of a part.
    private enum Presence {
        NOTHING,
        /// The part itself, made by a split of this pool that was interrupted.
        MADE_BEFORE,
        ANOTHERS
    }

    private static Presence partThere(ResourceView view, Part part) {
        return view.find(CalicoKinds.POOL, part.name())
                .map(found ->
                        IpPoolKind.pool(part.name(), found.content()).cidr().equals(part.cidr())
                                ? Presence.MADE_BEFORE
                                : Presence.ANOTHERS)
                .orElse(Presence.NOTHING);
    }

    private static String partName(String pool, int index) {
        var name = "split-%s-%d".formatted(pool, index);
        return name.length() <= NAME_CHARACTERS_MAX
                ? name
                : "split-%s-%d".formatted(pool.substring(0, Math.min(pool.length(), NAME_CHARACTERS_KEPT - 10)), index);
    }

    private static ObjectNode json(IpPoolDocument pool, Part part) {
        var json = pool.json();
        json.remove("metadata");
        json.remove("status");
        if (json.get("spec") instanceof ObjectNode spec) {
            spec.put(IpPoolRules.CIDR, part.cidr().toString());
            spec.remove("disabled");
        }
        return json;
    }

    private static Decision<DocumentChange, Outcome> refused(String sentence) {
        return new Decision<>(new Outcome.Refused(sentence), List.of(), List.of());
    }
}
