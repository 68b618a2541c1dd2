package io.cadastre.controller.nodecidr;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/// All Nodes that there were at a revision.
///
/// @param nodes by their names, as far as they can be read
/// @param unreadable the names of the others, with the revisions of their documents
public record NodeList<N>(Map<String, N> nodes, Map<String, Long> unreadable, long revision) {

    /// In an order that is the same in each run.
    public NodeList {
        nodes = Collections.unmodifiableMap(new HashMap<>(nodes));
        unreadable = Collections.unmodifiableMap(new HashMap<>(unreadable));
    }

    public boolean has(String name) {
        return nodes.containsKey(name) || unreadable.containsKey(name);
    }
}
