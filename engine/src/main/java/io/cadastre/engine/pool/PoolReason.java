package io.cadastre.engine.pool;

import io.cadastre.address.Address;
import io.cadastre.engine.Because;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// Why this law decided as it did.
public sealed interface PoolReason extends Because permits PoolFault, PoolReason.Told {

    @Override
    default String sentence() {
        return switch (this) {
            case AffinityUnmatched(var pool, var field, var selector, var subject, var labels) ->
                "passed over pool %s: its %s %s does not match %s, %s"
                        .formatted(
                                pool,
                                field,
                                selector,
                                subject,
                                labels.isEmpty()
                                        ? "which has none of the labels it names"
                                        : "whose labels are " + labels);
            case NameUnlisted(var pool, var field, var names, var subject) ->
                "passed over pool %s: its %s has %s and not %s"
                        .formatted(pool, field, String.join(", ", names), subject);
            case ToldBy(var source, var pools, var nic) ->
                "%s names the pools %s for NIC %s".formatted(source, String.join(", ", pools), nic);
            case Ordered(var pools, var nic) ->
                "tries the pools %s for NIC %s in this order: those for particular pods, nodes, namespaces or networks come first"
                        .formatted(String.join(", ", pools), nic);
            case TriedInVain(var pool, var cause) -> "passed over pool %s: %s".formatted(pool, cause);
            case Chose(var address, var pool, var nic) ->
                "chose %s, the lowest free address of pool %s, for NIC %s".formatted(address, pool, nic);
            case LeftToRivals(var pool, var count, var rivals) ->
                "pool %s gives none of %d addresses that other pools have too (%s): they are older, or their pods have these addresses; give each address to one pool"
                        .formatted(pool, count, String.join(", ", rivals));
            case Recorded(var address, var pool) ->
                "pool %s has %s recorded for the pod already".formatted(pool, address);
            case AlreadyServed(var key, var nic) -> "the endpoint of pod %s has NIC %s already".formatted(key, nic);
            case Claimed(var key, var nic) -> "NIC %s claims the next NIC without a name of pod %s".formatted(nic, key);
            case Replaced(var key, var uid) ->
                "the endpoint of pod %s is of an earlier pod with the uid %s".formatted(key, uid);
            case NotKeptForSuccessor(var key, var kind) ->
                "pod %s of a %s is served like any other: its addresses are not kept for its successor"
                        .formatted(key, kind);
            case Retained(var key, var uid) ->
                "the addresses of %s stay, which the pod with the uid %s had".formatted(key, uid);
            case Restored(var address, var pool) ->
                "pool %s has lost its record of %s, which is free and recorded again".formatted(pool, address);
            case NicNotKept(var nic, var cause) ->
                "NIC %s does not keep what it had: %s".formatted(nic.isEmpty() ? "without a name" : nic, cause.words);
            case RouteDropped(var route) ->
                "the route to %s is left out: no NIC reaches %s".formatted(route.dst(), route.gw());
            case NothingReleased(var key, var why) -> "nothing of pod %s is released: %s".formatted(key, why.words());
            case NotTheirs(var address, var pool, var key) ->
                "%s is not recorded for pod %s in pool %s".formatted(address, key, pool);
            case PoolFault(var _, var _, var sentence) -> sentence;
        };
    }

    /// A reason that is not a fault.
    sealed interface Told extends PoolReason {}

    /// A pool selects others.
    ///
    /// @param field which of its selectors
    /// @param selector what it asks for, for example `app=bank, tier In (a, b)`
    /// @param subject what it does not select, for example `pod shop/web-0`
    /// @param labels those labels of the subject that the selector asks about
    record AffinityUnmatched(String pool, String field, String selector, String subject, String labels)
            implements Told {

        public static AffinityUnmatched of(
                AddressPool pool,
                String field,
                Optional<LabelSelector> selector,
                String subject,
                SortedMap<String, String> labels) {
            return new AffinityUnmatched(
                    pool.name(),
                    field,
                    selector.map(LabelSelector::words).orElse(""),
                    subject,
                    selector.map(asking -> asking.asked(labels)).orElse(""));
        }
    }

    /// A pool names others.
    ///
    /// @param field which of its lists
    record NameUnlisted(String pool, String field, List<String> names, String subject) implements Told {

        public NameUnlisted {
            names = List.copyOf(names);
        }
    }

    /// Whose word counts, and which pools that leaves.
    record ToldBy(String source, List<String> pools, String nic) implements Told {
        public ToldBy {
            pools = List.copyOf(pools);
        }
    }

    /// The order of several pools that fit.
    record Ordered(List<String> pools, String nic) implements Told {
        public Ordered {
            pools = List.copyOf(pools);
        }
    }

    /// A pool fits and has no address to give.
    record TriedInVain(String pool, String cause) implements Told {}

    /// Other pools have addresses of the pool too. The one that was created first gives them.
    ///
    /// @param count how many it does not give
    record LeftToRivals(String pool, long count, List<String> rivals) implements Told {
        public LeftToRivals {
            rivals = List.copyOf(rivals);
        }
    }

    record Chose(Address address, String pool, String nic) implements Told {}

    /// The pool already has a record of the pod, from a process that stopped after it wrote the record.
    record Recorded(Address address, String pool) implements Told {}

    record AlreadyServed(PodKey key, String nic) implements Told {}

    record Claimed(PodKey key, String nic) implements Told {}

    /// The endpoint is of an earlier pod. What that one has recorded stays.
    record Replaced(PodKey key, String uid) implements Told {}

    /// What the predecessor of the pod had is the pod's.
    record Retained(PodKey key, String uid) implements Told {}

    /// The endpoint has an address of which the pool had no record.
    record Restored(Address address, String pool) implements Told {}

    /// An interface of a pod that keeps its addresses is assigned new ones.
    record NicNotKept(String nic, Cause cause) implements Told {

        /// Why it is.
        public enum Cause {
            OTHER_POOLS("other pools are named for it now"),
            RECORD_LOST("a pool has no record of it for this pod, and the address is not free");

            private final String words;

            Cause(String words) {
                this.words = words;
            }
        }
    }

    /// Upstream can be set to keep the addresses of such a pod for its successor.
    record NotKeptForSuccessor(PodKey key, String kind) implements Told {}

    /// No interface reaches the gateway.
    record RouteDropped(PodRoute route) implements Told {}

    record NothingReleased(PodKey key, PoolRelease.Why why) implements Told {}

    /// The record is another pod's, or there is none.
    record NotTheirs(Address address, String pool, PodKey key) implements Told {}
}
