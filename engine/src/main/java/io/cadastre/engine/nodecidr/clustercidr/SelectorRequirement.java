package io.cadastre.engine.nodecidr.clustercidr;

import java.util.List;

/// One line of a node selector as it is written, right or wrong.
public record SelectorRequirement(String key, String operator, List<String> values) {
    public SelectorRequirement {
        values = List.copyOf(values);
    }
}
