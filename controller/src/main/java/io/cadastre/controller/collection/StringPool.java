package io.cadastre.controller.collection;

import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.collect.LiveOwners.Name;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The names of pods, namespaces and nodes, each once, wherever it came from.
///
/// A block says of each address which pod has it, and a sweep looks all of them up among the pods. If both
/// have the very same text, comparing does not read it: most of a sweep was waiting for memory, and half of
/// it for the second copy of a name.
///
/// Not safe for several threads at once.
final class StringPool {

    /// The attributes whose values repeat. Times do not.
    private static final List<String> SHARED = List.of("namespace", "node", "pod");

    /// This many are kept in any case.
    private static final int SIZE_MIN = 10_000;

    private final Map<String, String> texts = new HashMap<>();

    String once(String text) {
        return texts.computeIfAbsent(text, same -> same);
    }

    Name once(Name name) {
        return new Name(once(name.namespace()), once(name.name()));
    }

    /// The same block, with the texts of others.
    Block once(Block block) {
        var attributes = new ArrayList<Attribute>();
        for (var attribute : block.attributes()) {
            attributes.add(
                    switch (attribute) {
                        case Held held -> once(held);
                        case Attribute.Cooling cooling -> cooling;
                    });
        }
        var same = Block.stored(block.cidr())
                .allocations(block.allocations())
                .unallocated(block.unallocated())
                .attributes(attributes)
                .sequence(block.sequence())
                .sequences(block.sequences())
                .deleted(block.deleted());
        block.owner().ifPresent(same::owner);
        block.claimedAt().ifPresent(same::claimedAt);
        return same.build();
    }

    private Held once(Held held) {
        var owner = new TreeMap<>(held.owner());
        for (var key : SHARED) {
            owner.computeIfPresent(key, (_, text) -> once(text));
        }
        return new Held(held.handle(), owner, held.alternate());
    }

    /// Forgets what is of no pod any more, once that is the most of it.
    void tidy(Collection<Name> pods) {
        if (texts.size() > SIZE_MIN + 3 * pods.size()) {
            texts.clear();
            for (var pod : pods) {
                texts.put(pod.namespace(), pod.namespace());
                texts.put(pod.name(), pod.name());
            }
        }
    }

    int size() {
        return texts.size();
    }
}
