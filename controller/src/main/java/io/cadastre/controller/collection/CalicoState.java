package io.cadastre.controller.collection;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Document;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.Node;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.Reservations;
import io.cadastre.engine.block.index.BlockSnapshot;
import io.cadastre.wire.calico.AffinityDocument;
import io.cadastre.wire.calico.BlockDocument;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.CalicoNodeDocument;
import io.cadastre.wire.calico.ClusterInformationDocument;
import io.cadastre.wire.calico.ConfigDocument;
import io.cadastre.wire.calico.IpPoolDocument;
import io.cadastre.wire.calico.ReservationDocument;
import io.cadastre.wire.calico.UnparsableEntryException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Blocks, pools and the other documents of Calico that decide who holds what, as the watches report them.
/// Not safe for several threads at once.
///
/// What cannot be read is taken for what does least harm: a node for one that is not ours, a block for one
/// of which nothing is known, the state of the cluster for locked.
final class CalicoState {

    private BlockSnapshot view = BlockSnapshot.empty();
    private final SortedMap<String, IpPool> pools = new TreeMap<>();
    private final SortedMap<String, List<Prefix>> reservations = new TreeMap<>();

    /// By name, what Kubernetes calls them.
    private final SortedMap<String, String> nodes = new TreeMap<>();

    private final StringPool texts;
    private boolean ready = true;

    /// @param texts shared with the state of pods
    CalicoState(StringPool texts) {
        this.texts = texts;
    }

    BlockSnapshot view() {
        return view;
    }

    SortedMap<String, String> nodes() {
        return new TreeMap<>(nodes);
    }

    boolean ready() {
        return ready;
    }

    void forget(Subject subject) {
        switch (subject) {
            case BLOCKS -> {
                for (var family : Family.values()) {
                    view = view.knowingBlocks(family, List.of());
                }
            }
            case AFFINITIES -> view = view.knowingAllAffinities(List.of());
            case NODES -> {
                for (var node : nodes.keySet()) {
                    view = view.knowingNoNode(node);
                }
                nodes.clear();
            }
            case POOLS -> {
                pools.clear();
                knowPools();
            }
            case RESERVATIONS -> {
                reservations.clear();
                knowReservations();
            }
            case CONFIG -> view = view.knowingNoConfig();
            case CLUSTER -> ready = true;
            case KUBERNETES_NODES, PODS, ENDPOINTS -> throw foreign(subject.prefix());
        }
    }

    private static IllegalStateException foreign(String key) {
        return new IllegalStateException(key + " is not Calico's");
    }

    /// Takes the document, and returns the nodes whose addresses it changes.
    SortedSet<String> put(Document document) {
        var key = CalicoKeys.parse(document.key());
        return key.isEmpty() ? Collections.emptySortedSet() : put(key.get(), document);
    }

    private SortedSet<String> put(CalicoKey key, Document document) {
        Optional<CalicoDocument> content;
        try {
            content = Optional.of(CalicoDocument.decode(key, document.value()));
        } catch (UnparsableEntryException _) {
            content = Optional.empty();
        }
        return switch (key) {
            case CalicoKey.OfBlock(var cidr) -> putBlock(cidr, content);
            case CalicoKey.OfAffinity(var owner, var cidr) -> {
                if (content.orElse(null) instanceof AffinityDocument affinity) {
                    view = view.knowing(affinity.affinity());
                } else {
                    view = view.knowingNoAffinity(owner, cidr);
                }
                yield one(owner);
            }
            case CalicoKey.OfNode(var name) -> {
                putNode(name, content);
                yield one(Owner.host(name));
            }
            case CalicoKey.OfPool(var name) -> {
                pools.remove(name);
                if (content.orElse(null) instanceof IpPoolDocument pool) {
                    pools.put(name, pool.pool());
                }
                knowPools();
                yield Collections.emptySortedSet();
            }
            case CalicoKey.OfReservation(var name) -> {
                reservations.remove(name);
                if (content.orElse(null) instanceof ReservationDocument reservation) {
                    reservations.put(name, reservation.reserved());
                }
                knowReservations();
                yield Collections.emptySortedSet();
            }
            case CalicoKey.OfConfig _ -> {
                view = content.orElse(null) instanceof ConfigDocument config
                        ? view.knowing(config.config())
                        : view.knowingNoConfig();
                yield Collections.emptySortedSet();
            }
            case CalicoKey.OfClusterInformation _ -> {
                ready = content.orElse(null) instanceof ClusterInformationDocument information && information.ready();
                yield Collections.emptySortedSet();
            }
            case CalicoKey.OfHandle _, CalicoKey.OfHostRecord _ -> Collections.emptySortedSet();
        };
    }

    private SortedSet<String> putBlock(Prefix cidr, Optional<CalicoDocument> content) {
        var affected = hosts(view.findBlock(cidr));
        var block = content.orElse(null) instanceof BlockDocument document
                ? texts.once(document.block())
                : Block.stored(cidr).allocations().build();
        view = view.knowing(block);
        affected.addAll(hosts(Optional.of(block)));
        return affected;
    }

    private void putNode(String name, Optional<CalicoDocument> content) {
        var node = content.orElse(null) instanceof CalicoNodeDocument document
                ? document.node()
                : Node.of(name, Collections.emptySortedMap());
        view = view.knowing(node);
        nodes.put(name, node.kubernetesName());
    }

    /// Forgets the document, and returns the nodes whose addresses that changes.
    SortedSet<String> remove(String text) {
        var key = CalicoKeys.parse(text);
        if (key.isEmpty()) {
            return Collections.emptySortedSet();
        }
        return switch (key.get()) {
            case CalicoKey.OfBlock(var cidr) -> {
                var affected = hosts(view.findBlock(cidr));
                view = view.knowingNoBlock(cidr);
                yield affected;
            }
            case CalicoKey.OfAffinity(var owner, var cidr) -> {
                view = view.knowingNoAffinity(owner, cidr);
                yield one(owner);
            }
            case CalicoKey.OfNode(var name) -> {
                view = view.knowingNoNode(name);
                nodes.remove(name);
                yield one(Owner.host(name));
            }
            case CalicoKey.OfPool(var name) -> {
                pools.remove(name);
                knowPools();
                yield Collections.emptySortedSet();
            }
            case CalicoKey.OfReservation(var name) -> {
                reservations.remove(name);
                knowReservations();
                yield Collections.emptySortedSet();
            }
            case CalicoKey.OfConfig _ -> {
                view = view.knowingNoConfig();
                yield Collections.emptySortedSet();
            }
            case CalicoKey.OfClusterInformation _ -> {
                ready = true;
                yield Collections.emptySortedSet();
            }
            case CalicoKey.OfHandle _, CalicoKey.OfHostRecord _ -> Collections.emptySortedSet();
        };
    }

    private void knowPools() {
        view = view.knowingPools(pools.values());
    }

    private void knowReservations() {
        view = view.knowing(Reservations.of(
                reservations.values().stream().flatMap(Collection::stream).toList()));
    }

    private static SortedSet<String> one(Owner owner) {
        return owner.kind() == Owner.Kind.HOST ? new TreeSet<>(List.of(owner.name())) : new TreeSet<>();
    }

    /// The nodes that have the block or an address of it.
    static SortedSet<String> hosts(Optional<Block> found) {
        var hosts = new TreeSet<String>();
        found.ifPresent(block -> {
            block.owner().ifPresent(owner -> hosts.addAll(one(owner)));
            for (var attribute : block.attributes()) {
                if (attribute instanceof Attribute.Held held) {
                    var node = held.owner().get("node");
                    if (node != null) {
                        hosts.add(node);
                    }
                }
            }
        });
        return hosts;
    }
}
