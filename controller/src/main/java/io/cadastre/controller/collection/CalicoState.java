package io.cadastre.controller.collection;

import io.cadastre.address.Family;
import io.cadastre.datastore.Document;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockItem;
import io.cadastre.engine.block.BlockListing;
import io.cadastre.engine.block.Node;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.index.BlockSnapshot;
import io.cadastre.wire.calico.BlockDocument;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoItems;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.ClusterInformationDocument;
import io.cadastre.wire.calico.HandleDocument;
import io.cadastre.wire.calico.HostRecordDocument;
import io.cadastre.wire.calico.UnparsableEntryException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/// Blocks, pools and the other documents of Calico that decide who holds what, as the watches report them.
/// Not safe for several threads at once.
///
/// What cannot be read is taken for what does least harm: a node for one that is not ours, a block for one
/// of which nothing is known, the state of the cluster for locked.
final class CalicoState {

    private BlockSnapshot view = BlockSnapshot.empty();
    private final StringPool texts;
    private boolean ready = true;

    /// @param texts shared with the state of pods
    CalicoState(StringPool texts) {
        this.texts = texts;
    }

    BlockSnapshot view() {
        return view;
    }

    /// By name, what Kubernetes calls them.
    SortedMap<String, String> nodes() {
        var nodes = new TreeMap<String, String>();
        view.knownNodes().forEach(node -> nodes.put(node.name(), node.kubernetesName()));
        return nodes;
    }

    boolean ready() {
        return ready;
    }

    /// Whether it is known just so.
    boolean knows(Node node) {
        return view.findNode(node.name()).equals(Optional.of(node));
    }

    void forget(Subject subject) {
        switch (subject) {
            case BLOCKS -> {
                for (var family : Family.values()) {
                    view = view.withNone(new BlockListing.OfBlocks(family));
                }
            }
            case AFFINITIES -> view = view.withNone(new BlockListing.OfAllAffinities());
            case NODES -> view.knownNodes().forEach(node -> view = view.without(BlockItem.of(node)));
            case POOLS -> view = view.withNone(new BlockListing.OfPools());
            case RESERVATIONS -> view = view.withNone(new BlockListing.OfReservations());
            case CONFIG -> view = view.without(new BlockItem.OfConfig());
            case CLUSTER -> ready = true;
            case KUBERNETES_NODES, PODS, ENDPOINTS ->
                throw new IllegalStateException(subject.prefix() + " is not Calico's");
        }
    }

    /// Takes the document, and returns the nodes whose addresses it changes.
    SortedSet<String> put(Document document) {
        return change(document.key(), key -> put(key, document));
    }

    /// Takes a node under the key that Calico has for it, and returns the nodes whose addresses it changes.
    SortedSet<String> putNode(String text, Node node) {
        return change(text, _ -> view = view.with(BlockItem.of(node), node));
    }

    /// Takes that there is something of the key, and returns the nodes whose addresses it changes.
    SortedSet<String> putUnreadable(String text) {
        return change(text, this::putUnreadable);
    }

    /// Forgets the document, and returns the nodes whose addresses that changes.
    SortedSet<String> remove(String text) {
        return change(text, key -> {
            ready |= key instanceof CalicoKey.OfClusterInformation;
            view = CalicoItems.without(view, key);
        });
    }

    private SortedSet<String> change(String text, Consumer<CalicoKey> change) {
        var affected = new TreeSet<String>();
        CalicoKeys.parse(text).ifPresent(key -> {
            affected.addAll(hosts(key));
            change.accept(key);
            affected.addAll(hosts(key));
        });
        return affected;
    }

    private void put(CalicoKey key, Document document) {
        CalicoDocument content;
        try {
            content = CalicoDocument.decode(key, document.value());
        } catch (UnparsableEntryException _) {
            putUnreadable(key);
            return;
        }
        switch (content) {
            case BlockDocument block -> put(texts.once(block.block()));
            case ClusterInformationDocument information -> ready = information.ready();
            // No sweep asks for either, and there are as many handles as pods.
            case HandleDocument _, HostRecordDocument _ -> {}
            default -> view = CalicoItems.with(view, content);
        }
    }

    private void putUnreadable(CalicoKey key) {
        switch (key) {
            case CalicoKey.OfBlock(var cidr) ->
                put(Block.stored(cidr).allocations().build());
            case CalicoKey.OfNode(var name) ->
                view = view.with(new BlockItem.OfNode(name), Node.of(name, Collections.emptySortedMap()));
            case CalicoKey.OfClusterInformation _ -> ready = false;
            default -> view = CalicoItems.without(view, key);
        }
    }

    private void put(Block block) {
        view = view.with(BlockItem.of(block), block);
    }

    private SortedSet<String> hosts(CalicoKey key) {
        return switch (key) {
            case CalicoKey.OfBlock(var cidr) -> hosts(view.findBlock(cidr));
            case CalicoKey.OfAffinity(var owner, var _) -> one(owner);
            case CalicoKey.OfNode(var name) -> one(Owner.host(name));
            default -> Collections.emptySortedSet();
        };
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
