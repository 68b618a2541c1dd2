package io.cadastre.wire.cni;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// One call of a plugin, checked as far as the protocol goes. What the verb has no use for may be empty.
///
/// @param netns the path of the container's network namespace, empty if it is gone or of no use
/// @param args the text of `CNI_ARGS`, see [CniArguments]
/// @param path the folders in which delegates are looked for
/// @param environment all of it, for delegates
public record CniCall(
        CniVerb verb,
        String containerId,
        String netns,
        String ifname,
        String args,
        List<String> path,
        NetworkConfig config,
        Map<String, String> environment) {

    public CniCall {
        path = List.copyOf(path);
        environment = Collections.unmodifiableMap(new TreeMap<>(environment));
    }
}
