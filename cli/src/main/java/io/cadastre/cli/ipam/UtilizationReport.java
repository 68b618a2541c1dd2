package io.cadastre.cli.ipam;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.engine.block.Utilization;
import io.cadastre.engine.block.Utilization.Numbers;
import io.cadastre.engine.block.Utilization.OfBlock;
import io.cadastre.wire.calico.resource.BlockKind;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/// How much of each pool is used, and of each block in it.
///
/// @param spiderPools the pools of Spiderpool, of which calicoctl says nothing
record UtilizationReport(List<Utilization> pools, boolean withBlocks, List<SpiderPools.Use> spiderPools)
        implements IpamReport {

    private static final List<String> SPIDER_HEADINGS =
            List.of("SPIDERIPPOOL", "SUBNET", "IPS TOTAL", "IPS IN USE", "IPS FREE");

    UtilizationReport {
        spiderPools = List.copyOf(spiderPools);
    }

    private static final List<String> HEADINGS =
            List.of("GROUPING", "CIDR", "IPS TOTAL", "IPS IN USE", "IPS RESERVED", "IPS FREE");

    @Override
    public void printText(PrintStream out) {
        var rows = new ArrayList<List<String>>();
        for (var pool : pools) {
            if (!orphans(pool)) {
                rows.add(row("IP Pool", pool.cidr().toString(), pool.total()));
            }
            if (withBlocks) {
                pool.blocks()
                        .forEach(block -> rows.add(row("Block", block.cidr().toString(), block.numbers())));
            }
        }
        new BoxTable(HEADINGS, 2, rows).print(out);
        if (!spiderPools.isEmpty()) {
            new BoxTable(
                            SPIDER_HEADINGS,
                            2,
                            spiderPools.stream().map(UtilizationReport::row).toList())
                    .print(out);
        }
    }

    private static List<String> row(SpiderPools.Use pool) {
        return List.of(
                pool.name(),
                pool.subnet(),
                GoNumber.text(pool.total()),
                GoNumber.part(pool.used(), pool.total()),
                GoNumber.part(pool.free(), pool.total()));
    }

    private static boolean orphans(Utilization pool) {
        return pool.name().equals(Utilization.ORPHANS);
    }

    private static List<String> row(String grouping, String cidr, Numbers numbers) {
        long whole = numbers.capacity();
        return List.of(
                grouping,
                cidr,
                GoNumber.text(whole),
                GoNumber.part(numbers.inUse(), whole),
                GoNumber.part(numbers.reserved(), whole),
                GoNumber.part(numbers.available(), whole));
    }

    @Override
    public JsonNode document() {
        var document = JsonNodeFactory.instance.objectNode().put("kind", "Utilization");
        var list = document.putArray("pools");
        for (var pool : pools) {
            if (!orphans(pool)) {
                var entry = list.addObject();
                entry.put("name", pool.name()).put("cidr", pool.cidr().toString());
                put(entry, pool.total());
                if (withBlocks) {
                    var blocks = entry.putArray("blocks");
                    pool.blocks().forEach(block -> put(blocks.addObject(), block));
                }
            } else if (withBlocks && !pool.blocks().isEmpty()) {
                var blocks = document.putArray("orphanedBlocks");
                pool.blocks().forEach(block -> put(blocks.addObject(), block));
            }
        }
        if (!spiderPools.isEmpty()) {
            var entries = document.putArray("spiderIPPools");
            for (var pool : spiderPools) {
                entries.addObject()
                        .put("name", pool.name())
                        .put("subnet", pool.subnet())
                        .put("total", pool.total())
                        .put("inUse", pool.used())
                        .put("free", pool.free());
            }
        }
        return document;
    }

    private static void put(ObjectNode entry, OfBlock block) {
        entry.put("cidr", block.cidr().toString()).put("affinity", block.owner());
        put(entry, block.numbers());
    }

    private static void put(ObjectNode entry, Numbers numbers) {
        entry.put("total", numbers.capacity())
                .put("inUse", numbers.inUse())
                .put("reserved", numbers.reserved())
                .put("free", numbers.available());
    }

    @Override
    public List<String> names() {
        var names = new ArrayList<String>();
        for (var pool : pools) {
            if (!orphans(pool)) {
                names.add("ippool/" + pool.name());
            }
            if (withBlocks) {
                pool.blocks().forEach(block -> names.add("ipamblock/" + BlockKind.name(block.cidr())));
            }
        }
        spiderPools.forEach(pool -> names.add("spiderippool/" + pool.name()));
        return names;
    }
}
