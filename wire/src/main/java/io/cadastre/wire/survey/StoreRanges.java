package io.cadastre.wire.survey;

import io.cadastre.address.Address;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.Holding;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.PoolRanges;
import io.cadastre.wire.cilium.CiliumKeys;
import io.cadastre.wire.cilium.PodIpPoolRanges;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.NodeBook;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrRanges;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The ranges of which the dialects in a store give addresses.
///
/// @param calico those of its pools
/// @param spiderpool likewise
/// @param nodeCidr the cluster CIDRs of which nodes hold a part, the service ranges beside them, and ClusterCIDRs
/// @param cilium those of its pools
/// @param uncompared documents whose ranges are missing
/// @param shared whether documents of more than one dialect can be in the store, and be read
public record StoreRanges(
        List<Holding> calico,
        List<Holding> spiderpool,
        List<Holding> nodeCidr,
        List<Holding> cilium,
        List<UnreadableRange> uncompared,
        boolean shared) {

    public StoreRanges {
        uncompared = List.copyOf(uncompared);
        calico = List.copyOf(calico);
        spiderpool = List.copyOf(spiderpool);
        nodeCidr = List.copyOf(nodeCidr);
        cilium = List.copyOf(cilium);
    }

    /// A dialect, by a key that only a store with a place for its documents accepts.
    enum Law {
        CALICO(CalicoKeys.POOLS + "any"),
        SPIDERPOOL(SpiderKeys.POOLS + "any"),
        NODE_CIDR(NodeBook.CURSORS),
        CILIUM(CiliumKeys.POOLS + "any");

        private final String key;

        Law(String key) {
            this.key = key;
        }

        /// Those of which it gives addresses.
        List<Holding> fetch(Datastore store, Consumer<UnreadableRange> notRead) {
            return find(store, notRead).orElse(List.of());
        }

        /// Those of which it gives addresses. Empty if its documents cannot be there, or cannot be read.
        Optional<List<Holding>> find(Datastore store, Consumer<UnreadableRange> notRead) {
            try {
                return find(store, () -> switch (this) {
                    case CALICO -> PoolRanges.fetch(store);
                    case SPIDERPOOL -> SpiderRanges.fetch(store);
                    case NODE_CIDR -> NodeBook.fetchRanges(store);
                    case CILIUM -> PodIpPoolRanges.fetch(store);
                });
            } catch (UnreadableDocumentException unreadable) {
                notRead.accept(UnreadableRange.of(unreadable));
                return Optional.of(List.of());
            }
        }

        /// Those that no other dialect may take, also where it gives nothing any more. Costs more: blocks
        /// and nodes are read.
        List<Holding> fetchHeld(Datastore store, Consumer<UnreadableRange> notRead) {
            return switch (this) {
                case CALICO -> read(store, notRead, List.of(), () -> PoolRanges.fetchWithBlocks(store));
                case SPIDERPOOL, CILIUM -> fetch(store, notRead);
                case NODE_CIDR -> withClusterCidrs(store, notRead, inUse(store, notRead, fetch(store, notRead)));
            };
        }

        /// A ClusterCIDR is kept like a pool, also while no node has anything of it.
        static List<Holding> withClusterCidrs(
                Datastore store, Consumer<UnreadableRange> notRead, List<Holding> ranges) {
            return Stream.concat(
                            ranges.stream(),
                            NODE_CIDR.read(store, notRead, List.of(), () -> ClusterCidrRanges.fetch(store)).stream())
                    .toList();
        }

        /// A cluster CIDR of which no node holds anything any more is free for others.
        static List<Holding> inUse(Datastore store, Consumer<UnreadableRange> notRead, List<Holding> ranges) {
            return NODE_CIDR.read(store, notRead, ranges, () -> NodeBook.inUse(store, ranges));
        }

        /// @param otherwise counts where a document cannot be read
        List<Holding> read(
                Datastore store,
                Consumer<UnreadableRange> notRead,
                List<Holding> otherwise,
                Supplier<List<Holding>> holdings) {
            try {
                return read(store, holdings);
            } catch (UnreadableDocumentException unreadable) {
                notRead.accept(UnreadableRange.of(unreadable));
                return otherwise;
            }
        }

        List<Holding> read(Datastore store, Supplier<List<Holding>> holdings) {
            return find(store, holdings).orElse(List.of());
        }

        /// Empty where the store has no place for the dialect, the cluster lacks its custom resources, or the user
        /// may not read it.
        private Optional<List<Holding>> find(Datastore store, Supplier<List<Holding>> holdings) {
            try {
                return store.hasPlace(key) ? Optional.of(holdings.get()) : Optional.empty();
            } catch (DatastoreException failed) {
                if (failed.kind() == DatastoreException.Kind.DENIED
                        || failed.kind() == DatastoreException.Kind.NOT_INSTALLED) {
                    return Optional.empty();
                }
                throw failed;
            }
        }
    }

    /// Whether more than one dialect has a place in the store.
    static boolean several(Datastore store) {
        return Stream.of(Law.values()).filter(law -> store.hasPlace(law.key)).count() > 1;
    }

    /// Those of which the dialects give addresses.
    public static StoreRanges fetch(Datastore store) {
        var uncompared = new ArrayList<UnreadableRange>();
        var ofCalico = Law.CALICO.find(store, uncompared::add);
        var ofSpiderpool = Law.SPIDERPOOL.find(store, uncompared::add);
        var ofNodes = Law.NODE_CIDR.find(store, uncompared::add);
        var ofCilium = Law.CILIUM.find(store, uncompared::add);
        long dialects = Stream.of(ofCalico, ofSpiderpool, ofNodes, ofCilium)
                .filter(Optional::isPresent)
                .count();
        var calico = ofCalico.orElse(List.of());
        var spiderpool = ofSpiderpool.orElse(List.of());
        var nodeCidr = ofNodes.orElse(List.of());
        var cilium = ofCilium.orElse(List.of());
        // Nodes may be many, and where nothing overlaps it makes no difference what they hold.
        boolean overlap = Stream.of(calico, spiderpool, cilium)
                .anyMatch(others -> !overlaps(nodeCidr, others).isEmpty());
        var kept = overlap ? Law.inUse(store, uncompared::add, nodeCidr) : nodeCidr;
        return new StoreRanges(
                calico,
                spiderpool,
                Law.withClusterCidrs(store, uncompared::add, kept),
                cilium,
                uncompared,
                dialects > 1);
    }

    /// Those that no dialect may take from another.
    static StoreRanges fetchHeld(Datastore store) {
        var uncompared = new ArrayList<UnreadableRange>();
        return new StoreRanges(
                Law.CALICO.fetchHeld(store, uncompared::add),
                Law.SPIDERPOOL.fetchHeld(store, uncompared::add),
                Law.NODE_CIDR.fetchHeld(store, uncompared::add),
                Law.CILIUM.fetchHeld(store, uncompared::add),
                uncompared,
                several(store));
    }

    /// What a new pool of Calico must not overlap.
    public static List<Holding> besideCalico(Datastore store) {
        return held(store, Law.SPIDERPOOL, Law.NODE_CIDR, Law.CILIUM);
    }

    /// What a new address of a pool of Spiderpool must not be.
    public static List<Holding> besideSpiderpool(Datastore store) {
        return held(store, Law.CALICO, Law.NODE_CIDR, Law.CILIUM);
    }

    /// What a new cluster CIDR, ClusterCIDR or service range must not overlap.
    public static List<Holding> besideNodeCidr(Datastore store) {
        return held(store, Law.CALICO, Law.SPIDERPOOL, Law.CILIUM);
    }

    /// What a new CIDR of a pool of Cilium must not overlap.
    public static List<Holding> besideCilium(Datastore store) {
        return held(store, Law.CALICO, Law.SPIDERPOOL, Law.NODE_CIDR);
    }

    private static List<Holding> held(Datastore store, Law... laws) {
        return Stream.of(laws)
                .flatMap(law -> law.fetchHeld(store, _ -> {}).stream())
                .toList();
    }

    /// Those that contain the address.
    StoreRanges around(Address address) {
        return new StoreRanges(
                StoreSurvey.around(address, calico),
                StoreSurvey.around(address, spiderpool),
                StoreSurvey.around(address, nodeCidr),
                StoreSurvey.around(address, cilium),
                uncompared,
                shared);
    }

    /// Two dialects give addresses of one range.
    public List<Overlap> overlaps() {
        var overlaps = new ArrayList<>(overlaps(calico, spiderpool));
        overlaps.addAll(overlaps(calico, nodeCidr));
        overlaps.addAll(overlaps(spiderpool, nodeCidr));
        Stream.of(calico, spiderpool, nodeCidr).forEach(others -> overlaps.addAll(overlaps(others, cilium)));
        return overlaps;
    }

    private static List<Overlap> overlaps(List<Holding> ones, List<Holding> others) {
        return ones.stream()
                .flatMap(one -> others.stream()
                        .filter(other -> other.range().overlaps(one.range()))
                        .map(other -> new Overlap(one, other)))
                .toList();
    }
}
