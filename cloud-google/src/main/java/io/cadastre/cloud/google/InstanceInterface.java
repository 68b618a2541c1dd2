package io.cadastre.cloud.google;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Prefix;
import io.cadastre.address.SloppyText;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.ArrayList;
import java.util.List;

/// A network interface of a machine, with its alias ranges as the server wrote them.
///
/// @param fingerprint changes with each change of the interface, and makes a write conditional
record InstanceInterface(String name, String fingerprint, List<ObjectNode> aliasRanges) {

    private static final String RANGE = "ipCidrRange";

    InstanceInterface {
        aliasRanges = List.copyOf(aliasRanges);
    }

    /// The interfaces of an instance, in their order.
    ///
    /// @throws UnreadableDocumentException if it is not one
    static List<InstanceInterface> of(ObjectNode instance) {
        var interfaces = new ArrayList<InstanceInterface>();
        for (var element : objects(instance, "networkInterfaces")) {
            var fields = new Fields("the answer");
            interfaces.add(new InstanceInterface(
                    fields.text(element, "name"),
                    fields.text(element, "fingerprint"),
                    objects(element, "aliasIpRanges")));
        }
        return interfaces;
    }

    private static List<ObjectNode> objects(ObjectNode parent, String name) {
        var objects = new ArrayList<ObjectNode>();
        for (var element : new Fields("the answer").array(parent, name)) {
            if (!(element instanceof ObjectNode object)) {
                throw new UnreadableDocumentException(
                        "the answer", "an element of %s is not an object".formatted(name));
            }
            objects.add(object);
        }
        return objects;
    }

    /// The ranges as the server spells them.
    List<String> ranges() {
        return aliasRanges.stream()
                .map(range -> new Fields("the answer").text(range, RANGE))
                .toList();
    }

    boolean has(Prefix range) {
        return ranges().stream()
                .anyMatch(text ->
                        SloppyText.parsePrefix(text).filter(range::equals).isPresent());
    }

    /// The body of a request that adds a range and leaves the others as they are.
    ObjectNode adding(Prefix range, String secondaryRangeName) {
        var body = Json.emptyObject();
        var ranges = body.putArray("aliasIpRanges");
        aliasRanges.forEach(ranges::add);
        var added = ranges.addObject().put(RANGE, range.toString());
        if (!secondaryRangeName.isEmpty()) {
            added.put("subnetworkRangeName", secondaryRangeName);
        }
        return body.put("fingerprint", fingerprint).put("name", name);
    }
}
