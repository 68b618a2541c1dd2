package io.cadastre.engine.pool;

import io.cadastre.address.Address;
import io.cadastre.engine.Because;

import java.util.List;

/// Why this law decided as it did.
public sealed interface PoolReason extends Because permits PoolFault, PoolReason.Told {

    /// A reason that is no fault.
    sealed interface Told extends PoolReason {}

    /// Whose word counts, and which pools that leaves.
    record ToldBy(String source, List<String> pools, String nic) implements Told {
        public ToldBy {
            pools = List.copyOf(pools);
        }

        @Override
        public String sentence() {
            return "%s names the pools %s for NIC %s"
                    .formatted(source, String.join(", ", pools), nic);
        }
    }

    record Chose(Address address, String pool, String nic) implements Told {
        @Override
        public String sentence() {
            return "chose %s, the lowest free address of pool %s, for NIC %s"
                    .formatted(address, pool, nic);
        }
    }

    /// The pool already has a record of the pod, which somebody wrote who did not get any further.
    record Recorded(Address address, String pool) implements Told {
        @Override
        public String sentence() {
            return "pool %s has %s recorded for the pod already".formatted(pool, address);
        }
    }

    record AlreadyServed(PodKey key, String nic) implements Told {
        @Override
        public String sentence() {
            return "the endpoint of pod %s has NIC %s already".formatted(key, nic);
        }
    }

    record Claimed(PodKey key, String nic) implements Told {
        @Override
        public String sentence() {
            return "NIC %s claims the next NIC without a name of pod %s".formatted(nic, key);
        }
    }

    /// The endpoint is of an earlier pod. What that one has recorded stays.
    record Replaced(PodKey key, String uid) implements Told {
        @Override
        public String sentence() {
            return "the endpoint of pod %s is of an earlier pod with the uid %s"
                    .formatted(key, uid);
        }
    }

    /// Upstream would keep the addresses of such a pod for its successor.
    record NotKeptForSuccessor(PodKey key, String kind) implements Told {
        @Override
        public String sentence() {
            return "pod %s of a %s is served like any other: its addresses are not kept for its successor"
                    .formatted(key, kind);
        }
    }

    /// No interface reaches the gateway.
    record RouteDropped(Route route) implements Told {
        @Override
        public String sentence() {
            return "the route to %s is left out: no NIC reaches %s"
                    .formatted(route.dst(), route.gw());
        }
    }

    record NothingReleased(PodKey key, Release.Why why) implements Told {
        @Override
        public String sentence() {
            return "nothing of pod %s is released: %s".formatted(key, why.words());
        }
    }

    /// The record is another pod's, or there is none.
    record NotTheirs(Address address, String pool, PodKey key) implements Told {
        @Override
        public String sentence() {
            return "%s is not recorded for pod %s in pool %s".formatted(address, key, pool);
        }
    }
}
