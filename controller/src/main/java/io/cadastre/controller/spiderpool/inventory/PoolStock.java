package io.cadastre.controller.spiderpool.inventory;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.pages.Metric.Sample;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKinds;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// What pools and subnets say of themselves in their status.
final class PoolStock {

    /// What is counted.
    enum Kind {
        POOL(SpiderKeys.POOLS, "ippool", SpiderKinds.POOL.word()),
        SUBNET(SpiderKeys.SUBNETS, "subnet", "SpiderSubnet");

        private final String keys;
        private final String word;
        private final String label;

        Kind(String keys, String word, String label) {
            this.keys = keys;
            this.word = word;
            this.label = label;
        }

        /// What the keys of its documents begin with.
        String keys() {
            return keys;
        }
    }

    /// One of them.
    ///
    /// @param pools how many pools are of a subnet
    private record Stock(String name, long total, long available, int pools) {}

    private final Map<Kind, List<Stock>> stocks = new EnumMap<>(Kind.class);

    /// One that cannot be read counts, without addresses.
    void add(Kind kind, Document document) {
        stocks.computeIfAbsent(kind, _ -> new ArrayList<>()).add(stock(kind, document));
    }

    /// All of the kind have been added, and perhaps there are none.
    void counted(Kind kind) {
        stocks.putIfAbsent(kind, new ArrayList<>());
    }

    private static Stock stock(Kind kind, Document document) {
        var name = document.key().substring(kind.keys.length());
        try {
            var reader = new Fields(document.key());
            var status = reader.object(Json.readObject(document.key(), document.value()), "status");
            long total = reader.count(status, "totalIPCount");
            return new Stock(
                    name, total, Math.max(0, total - reader.count(status, "allocatedIPCount")), pools(reader, status));
        } catch (UnreadableDocumentException _) {
            return new Stock(name, 0, 0, 0);
        }
    }

    private static int pools(Fields reader, ObjectNode status) {
        var controlled = reader.text(status, "controlledIPPools");
        return controlled.isEmpty()
                ? 0
                : Json.readObject("controlledIPPools", Bytes.ofUtf8(controlled)).size();
    }

    /// @param each whether the addresses of each are shown too
    List<Metric> metrics(boolean each) {
        var metrics = new ArrayList<Metric>();
        stocks.forEach((kind, all) -> {
            metrics.add(Metric.gauge(
                    "spiderpool_total_%s_counts".formatted(kind.word),
                    "How many %ss there are.".formatted(kind.label),
                    List.of(Sample.of((double) all.size()))));
            if (each) {
                var of = "spiderpool_debug_%s_".formatted(kind.word);
                if (kind == Kind.SUBNET) {
                    metrics.add(gauge(of + "ippool_counts", "Pools of each subnet.", kind, all, Stock::pools));
                }
                metrics.add(gauge(
                        of + "total_ip_counts",
                        "Addresses of each %s.".formatted(kind.label),
                        kind,
                        all,
                        Stock::total));
                metrics.add(gauge(
                        of + "available_ip_counts",
                        "Addresses of each %s that are not in use.".formatted(kind.label),
                        kind,
                        all,
                        Stock::available));
            }
        });
        return metrics;
    }

    private static Metric gauge(String name, String help, Kind kind, List<Stock> all, ToDoubleFunction<Stock> value) {
        return Metric.gauge(
                name,
                help,
                all.stream()
                        .map(stock -> Sample.of(value.applyAsDouble(stock), kind.label, stock.name()))
                        .toList());
    }
}
