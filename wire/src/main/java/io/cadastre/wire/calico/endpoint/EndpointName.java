package io.cadastre.wire.calico.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What an endpoint is called: its node, its orchestrator, the pod or container, and the interface, divided
/// by dashes. A dash within one of them is written twice, so that `web` never means `web-0`.
///
/// @param orchestrator `k8s` for a pod, `cni` for any other container
/// @param workload the name of the pod, or the id of the container
public record EndpointName(String node, String orchestrator, String workload, String ifname) {

    private static final int SEGMENTS = 4;

    /// @throws IllegalArgumentException if one of them could not be separated from its neighbour
    public EndpointName {
        check("node", node);
        check("orchestrator", orchestrator);
        check("workload", workload);
        check("endpoint", ifname);
    }

    private static void check(String what, String segment) {
        if (segment.isEmpty()) {
            throw new IllegalArgumentException("the %s of an endpoint is empty".formatted(what));
        }
        if (segment.startsWith("-") || segment.endsWith("-") || segment.indexOf('/') >= 0) {
            throw new IllegalArgumentException(
                    "the %s of an endpoint begins or ends with a dash, or has a slash: %s".formatted(what, segment));
        }
    }

    public EndpointName withIfname(String other) {
        return new EndpointName(node, orchestrator, workload, other);
    }

    public String text() {
        return prefix() + escaped(ifname);
    }

    /// What the names of all its workload's endpoints begin with. Names of others may do so too.
    public String prefix() {
        return "%s-%s-%s-".formatted(escaped(node), escaped(orchestrator), escaped(workload));
    }

    private static String escaped(String segment) {
        return segment.replace("-", "--");
    }

    /// Whether both are of one workload, by whatever interface.
    public boolean sameWorkload(EndpointName other) {
        return withIfname(other.ifname).equals(other);
    }

    /// Reads a name; empty if it does not have exactly four parts.
    public static Optional<EndpointName> find(String text) {
        var segments = new ArrayList<String>();
        var segment = new StringBuilder();
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c != '-') {
                segment.append(c);
            } else if (at + 1 < text.length() && text.charAt(at + 1) == '-') {
                segment.append(c);
                at++;
            } else {
                segments.add(segment.toString());
                segment.setLength(0);
            }
        }
        segments.add(segment.toString());
        return segments.size() == SEGMENTS ? of(segments) : Optional.empty();
    }

    private static Optional<EndpointName> of(List<String> segments) {
        try {
            return Optional.of(new EndpointName(segments.get(0), segments.get(1), segments.get(2), segments.get(3)));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return text();
    }
}
