package io.cadastre.controller.collection;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Leak;
import io.cadastre.engine.block.Population;
import io.cadastre.engine.block.Population.Name;
import io.cadastre.engine.block.Population.Pod;
import io.cadastre.wire.kubernetes.CoreKeys;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Pods as the store has them now. What was looked up here is newer than what the watches told.
///
/// @param asked all that were looked up, also those that are not there
/// @param unreadable those that are there and cannot be understood
record LivePods(SortedSet<Name> asked, Map<Name, Pod> found, SortedSet<Name> unreadable) {

    /// From so many of one namespace on, listing all its pods is cheaper than asking for each of these, unless
    /// there are many times as many.
    private static final int LIST_FROM = 64;

    private static final int TIMES_MAX = 16;

    /// The pods that are said to use the leaked addresses.
    static SortedSet<Name> users(BlockView view, Collection<Leak> leaks) {
        var names = new TreeSet<Name>();
        for (var leak : leaks) {
            user(view, leak).ifPresent(names::add);
        }
        return names;
    }

    private static Optional<Name> user(BlockView view, Leak leak) {
        return view.findBlock(leak.block())
                .filter(block -> !block.damaged())
                .flatMap(
                        block ->
                                block.attribute(
                                        block.ordinal(leak.allocation().address()).orElseThrow()))
                .filter(Held.class::isInstance)
                .map(Held.class::cast)
                .map(
                        held ->
                                new Name(
                                        held.owner().getOrDefault("namespace", ""),
                                        held.owner().getOrDefault("pod", "")))
                .filter(name -> !name.namespace().isEmpty() && !name.name().isEmpty());
    }

    /// Looks them up.
    ///
    /// @param podsKnown how many pods there are about, in all namespaces
    static LivePods fetch(Datastore store, SortedSet<Name> names, int podsKnown) {
        var found = new LinkedHashMap<Name, Pod>();
        var unreadable = new TreeSet<Name>();
        var byNamespace = new TreeMap<String, SortedSet<Name>>();
        for (var name : names) {
            byNamespace.computeIfAbsent(name.namespace(), _ -> new TreeSet<>()).add(name);
        }
        byNamespace.forEach(
                (namespace, wanted) -> {
                    if (wanted.size() >= LIST_FROM && podsKnown / TIMES_MAX <= wanted.size()) {
                        list(store, namespace, wanted, found, unreadable);
                    } else {
                        for (var name : wanted) {
                            store.get(PodDocument.key(name))
                                    .ifPresent(stored -> note(name, stored, found, unreadable));
                        }
                    }
                });
        return new LivePods(names, found, unreadable);
    }

    private static void list(
            Datastore store,
            String namespace,
            SortedSet<Name> wanted,
            Map<Name, Pod> found,
            SortedSet<Name> unreadable) {
        var page = store.list(CoreKeys.PODS + namespace + "/", Datastore.PAGE_DOCUMENTS_MAX);
        // Ends: each page begins after the last key of the one before.
        while (true) {
            for (var document : page.documents()) {
                PodDocument.name(document.key())
                        .filter(name -> wanted.contains(name))
                        .ifPresent(name -> note(name, document, found, unreadable));
            }
            if (page.next().isEmpty()) {
                return;
            }
            page = store.list(page.next().get(), Datastore.PAGE_DOCUMENTS_MAX);
        }
    }

    private static void note(
            Name name, Document stored, Map<Name, Pod> found, SortedSet<Name> unreadable) {
        PodDocument.read(stored.key(), stored.value())
                .ifPresentOrElse(pod -> found.put(name, pod), () -> unreadable.add(name));
    }

    /// Who is alive. A pod that an address is said to belong to by now and that was not looked up is
    /// taken for alive.
    Population population(BlockView view, Collection<Leak> leaks) {
        var unknown = new TreeSet<>(unreadable);
        for (var name : users(view, leaks)) {
            if (!asked.contains(name)) {
                unknown.add(name);
            }
        }
        return new Population(
                Collections.emptySortedSet(),
                found,
                unknown,
                new Population.Machines.None(),
                Collections.emptySortedSet());
    }
}
