package io.cadastre.cli.ipam;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.Owner;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/// The addresses that a node has from the block of another.
///
/// @param strangers how many addresses do not name their holder
record BorrowedReport(List<Borrowed> borrowed, int strangers) implements IpamReport {

    private static final List<String> HEADINGS =
            List.of("IP", "BORROWING-NODE", "BLOCK", "BLOCK OWNER", "TYPE", "ALLOCATED-TO");

    record Borrowed(Address ip, String node, Prefix block, String owner, Held held) {

        String type() {
            if (has("vmi-name")) {
                return "vmi";
            }
            return has("pod") ? "pod" : held.owner().getOrDefault("type", "");
        }

        String allocatedTo() {
            var namespace = held.owner().getOrDefault("namespace", "");
            if (has("vmi-name")) {
                return namespace + "/" + held.owner().get("vmi-name");
            }
            return has("pod") ? namespace + "/" + held.owner().get("pod") : "";
        }

        private boolean has(String attribute) {
            return held.owner().containsKey(attribute);
        }
    }

    static BorrowedReport of(List<Block> blocks) {
        var borrowed = new ArrayList<Borrowed>();
        int strangers = 0;
        for (var block : blocks) {
            var owner = block.owner().map(Owner::name).orElse("");
            for (int ordinal = 0; !block.damaged() && ordinal < block.size(); ordinal++) {
                if (block.attribute(ordinal).orElse(null) instanceof Held held && !held.keptByWindows()) {
                    var node = held.owner().getOrDefault("node", "");
                    if (node.isEmpty()) {
                        strangers++;
                    } else if (!node.equals(owner)) {
                        borrowed.add(new Borrowed(block.address(ordinal), node, block.cidr(), owner, held));
                    }
                }
            }
        }
        return new BorrowedReport(List.copyOf(borrowed), strangers);
    }

    @Override
    public void printText(PrintStream out) {
        new BoxTable(
                        HEADINGS,
                        HEADINGS.size(),
                        borrowed.stream()
                                .map(row -> List.of(
                                        row.ip().toString(),
                                        row.node(),
                                        row.block().toString(),
                                        row.owner(),
                                        row.type(),
                                        row.allocatedTo()))
                                .toList())
                .print(out);
        if (strangers > 0) {
            out.println();
            out.println(
                    "Note: found %d IP allocations without an explicit node association. Unable to determine if they are borrowed."
                            .formatted(strangers));
        }
    }

    @Override
    public JsonNode document() {
        var document = JsonNodeFactory.instance.objectNode();
        var list = document.put("kind", "Borrowed").putArray("ips");
        for (var row : borrowed) {
            list.addObject()
                    .put("ip", row.ip().toString())
                    .put("borrowingNode", row.node())
                    .put("block", row.block().toString())
                    .put("blockOwner", row.owner())
                    .put("type", row.type())
                    .put("allocatedTo", row.allocatedTo());
        }
        return document.put("withoutNode", strangers);
    }

    @Override
    public List<String> names() {
        return borrowed.stream().map(row -> "ip/" + row.ip()).toList();
    }
}
