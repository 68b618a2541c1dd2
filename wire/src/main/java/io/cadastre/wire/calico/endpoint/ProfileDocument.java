package io.cadastre.wire.calico.endpoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Json;
import java.time.Instant;
import java.util.UUID;

/// The `Profile` that is named after a network, as JSON: what its endpoints may do as long as no policy
/// says otherwise. It is made once and never rewritten, since users may change it.
public final class ProfileDocument {

    private final String name;
    private final ObjectNode json;

    private ProfileDocument(String name, ObjectNode json) {
        this.name = name;
        this.json = json;
    }

    /// The sources from which a network's endpoints accept traffic.
    public enum Ingress {
        /// All sources, as for pods.
        FROM_ALL,
        /// Endpoints of the same network.
        FROM_THE_NETWORK
    }

    public static ProfileDocument create(String network, Ingress ingress, UUID uid, Instant now) {
        var json = ResourceFrame.create("Profile", network, "", uid, now);
        var spec = json.putObject("spec");
        var source = allowing(spec.putArray("ingress"));
        switch (ingress) {
            case FROM_ALL -> {}
            case FROM_THE_NETWORK -> source.put("selector", "has(%s)".formatted(network));
        }
        allowing(spec.putArray("egress"));
        spec.putObject("labelsToApply").put(network, "");
        return new ProfileDocument(network, json);
    }

    /// Adds a rule that allows, and gives its source.
    private static ObjectNode allowing(ArrayNode rules) {
        var rule = rules.addObject().put("action", "Allow");
        var source = rule.putObject("source");
        rule.putObject("destination");
        return source;
    }

    public String name() {
        return name;
    }

    public Bytes encode() {
        return Json.write(json);
    }
}
