package io.cadastre.controller.collection;

import io.cadastre.address.Address;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.collect.Leak;
import io.cadastre.engine.block.collect.LiveOwners;
import io.cadastre.engine.block.collect.LiveOwners.Name;
import io.cadastre.engine.block.collect.LiveOwners.Pod;
import io.cadastre.wire.calico.endpoint.EndpointKeys;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.PodDocument;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Pods as the store has them now. What was looked up here is newer than what the watches reported.
///
/// @param asked all that were looked up, also those that are not there
/// @param unreadable those that are there and cannot be understood
/// @param endpointAddresses what endpoints have that are recorded for them
record LivePods(
        NavigableSet<Name> asked, Map<Name, Pod> found, NavigableSet<Name> unreadable, Set<Address> endpointAddresses) {

    /// From this many pods of one namespace on, listing all its pods is cheaper than asking for each of
    /// these, unless there are many times as many.
    private static final int LIST_FROM = 64;

    private static final int TIMES_MAX = 16;

    /// The pods that the leaked addresses name as their users, and the nodes that live and may have endpoints of
    /// theirs.
    static SortedMap<Name, NavigableSet<String>> users(BlockView view, Collection<Leak> leaks) {
        var nodes = new TreeMap<Name, NavigableSet<String>>();
        for (var leak : leaks) {
            user(view, leak).ifPresent(name -> {
                var own = nodes.computeIfAbsent(name, _ -> new TreeSet<>());
                if (leak.origin() == Leak.Origin.POD_GONE) {
                    own.add(leak.node());
                }
            });
        }
        return nodes;
    }

    private static Optional<Name> user(BlockView view, Leak leak) {
        return view.findBlock(leak.block())
                .filter(block -> !block.damaged())
                .flatMap(block -> block.attribute(
                        block.ordinal(leak.allocation().address()).orElseThrow()))
                .filter(Held.class::isInstance)
                .map(Held.class::cast)
                .map(held -> new Name(
                        held.owner().getOrDefault("namespace", ""), held.owner().getOrDefault("pod", "")))
                .filter(name -> !name.namespace().isEmpty() && !name.name().isEmpty());
    }

    /// Looks them up.
    ///
    /// @param users the pods, and the nodes that may have endpoints of theirs
    /// @param podsKnown how many pods there are about, in all namespaces
    static LivePods fetch(
            Datastore store, SortedMap<Name, NavigableSet<String>> users, int podsKnown, ClusterSource source) {
        var found = new LinkedHashMap<Name, Pod>();
        var unreadable = new TreeSet<Name>();
        var byNamespace = new TreeMap<String, NavigableSet<Name>>();
        for (var name : users.keySet()) {
            byNamespace.computeIfAbsent(name.namespace(), _ -> new TreeSet<>()).add(name);
        }
        byNamespace.forEach((namespace, wanted) -> {
            if (wanted.size() >= LIST_FROM && podsKnown / TIMES_MAX <= wanted.size()) {
                list(store, namespace, wanted, found, unreadable);
            } else {
                for (var name : wanted) {
                    store.get(PodDocument.key(namespace, name.name()))
                            .ifPresent(stored -> note(name, stored, found, unreadable));
                }
            }
        });
        var addresses = new LinkedHashSet<Address>();
        if (source.followed().contains(Subject.ENDPOINTS)) {
            users.forEach((name, nodes) -> nodes.forEach(node -> note(store, name, node, addresses, unreadable)));
        }
        return new LivePods(
                Collections.unmodifiableNavigableSet(new TreeSet<>(users.keySet())), found, unreadable, addresses);
    }

    private static void note(
            Datastore store, Name pod, String node, Set<Address> addresses, NavigableSet<Name> unreadable) {
        String prefix;
        try {
            prefix = EndpointKeys.ofPod(pod.namespace(), node, pod.name());
        } catch (IllegalArgumentException _) {
            // No endpoint can have such a name.
            return;
        }
        for (var document : store.listAll(prefix).documents()) {
            RecordedEndpoint.read(document)
                    .ifPresentOrElse(endpoint -> addresses.addAll(endpoint.addresses()), () -> unreadable.add(pod));
        }
    }

    private static void list(
            Datastore store,
            String namespace,
            NavigableSet<Name> wanted,
            Map<Name, Pod> found,
            NavigableSet<Name> unreadable) {
        store.scan(CoreKeys.PODS + namespace + "/", page -> {
            for (var document : page) {
                PodDocument.name(document.key(), Name::new)
                        .filter(wanted::contains)
                        .ifPresent(name -> note(name, document, found, unreadable));
            }
        });
    }

    private static void note(Name name, Document stored, Map<Name, Pod> found, NavigableSet<Name> unreadable) {
        PodAddresses.read(stored).ifPresentOrElse(pod -> found.put(name, pod), () -> unreadable.add(name));
    }

    /// The owners that are alive. If an address belongs by now to a pod that was not looked up, that pod is
    /// taken for alive.
    LiveOwners liveOwners(BlockView view, Collection<Leak> leaks) {
        var unknown = new TreeSet<>(unreadable);
        for (var name : users(view, leaks).keySet()) {
            if (!asked.contains(name)) {
                unknown.add(name);
            }
        }
        return new LiveOwners(
                Collections.emptyNavigableSet(),
                found,
                unknown,
                new LiveOwners.Machines.None(),
                Collections.emptyNavigableSet(),
                endpointAddresses);
    }
}
