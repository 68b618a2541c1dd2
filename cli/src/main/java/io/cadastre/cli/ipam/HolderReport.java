package io.cadastre.cli.ipam;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.pool.PoolRecord;
import java.io.PrintStream;
import java.util.List;
import java.util.SortedMap;

/// The holder of an address.
sealed interface HolderReport extends IpamReport {

    Address address();

    @Override
    default List<String> names() {
        return List.of("ip/" + address());
    }

    record Free(Address address) implements HolderReport {

        @Override
        public void printText(PrintStream out) {
            out.println("%s is not assigned".formatted(address));
        }

        @Override
        public JsonNode document() {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("ip", address.toString())
                    .put("assigned", false);
        }
    }

    /// A pool of Spiderpool records who has it.
    record Recorded(Address address, String pool, PoolRecord recorded) implements HolderReport {

        @Override
        public void printText(PrintStream out) {
            out.println("IP %s is in use".formatted(address));
            out.println("SpiderIPPool: " + pool);
            out.println("Pod: %s with UID %s".formatted(recorded.pod(), recorded.podUid()));
        }

        @Override
        public JsonNode document() {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("ip", address.toString())
                    .put("assigned", true)
                    .put("spiderIPPool", pool)
                    .put("pod", recorded.pod())
                    .put("podUid", recorded.podUid());
        }
    }

    record Held(Address address, Attribute.Held attribute) implements HolderReport {

        @Override
        public void printText(PrintStream out) {
            out.println("IP %s is in use".formatted(address));
            out.println("Handle ID: " + (attribute.handle().isEmpty() ? "<none>" : attribute.handle()));
            if (attribute.owner().isEmpty()) {
                out.println("No Active Owner attributes defined");
            } else {
                print(out, "Active Owner Attributes:", attribute.owner());
            }
            if (!attribute.alternate().isEmpty()) {
                print(out, "Alternate Owner Attributes:", attribute.alternate());
            }
        }

        private static void print(PrintStream out, String heading, SortedMap<String, String> attributes) {
            out.println(heading);
            attributes.forEach((key, value) -> out.println("  %s: %s".formatted(key, value)));
        }

        @Override
        public JsonNode document() {
            var document = JsonNodeFactory.instance.objectNode();
            document.put("ip", address.toString()).put("assigned", true);
            document.put("handle", attribute.handle());
            put(document, "attributes", attribute.owner());
            put(document, "alternateAttributes", attribute.alternate());
            return document;
        }

        private static void put(ObjectNode document, String name, SortedMap<String, String> attributes) {
            if (!attributes.isEmpty()) {
                attributes.forEach(document.putObject(name)::put);
            }
        }
    }
}
