package io.cadastre.verification.benchmarks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.Owner;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// JSON: a block of 64 addresses, as Calico writes it, read and written. `stream` reads the same block with
/// Jackson's tokens alone, as a yardstick for `read`: it checks nothing and keeps no unknown field.
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class BlockJsonBenchmark {

    private static final Prefix CIDR = Prefix.parse("10.244.1.64/26");
    private static final CalicoKey KEY = new CalicoKey.OfBlock(CIDR);
    private static final Instant CLAIMED = Instant.parse("2026-03-01T10:20:30Z");
    private static final int SIZE = 64;
    private static final JsonFactory JSON = new JsonFactory();

    /// How much of the block is held, and whether it has a field that is not Calico's.
    public enum Content {
        EMPTY,
        HALF,
        FULL,
        FOREIGN
    }

    @Param
    public Content content = Content.EMPTY;

    Bytes bytes = Bytes.ofUtf8("");
    CalicoDocument document = decode(Bytes.ofUtf8("{\"cidr\":\"%s\"}".formatted(CIDR)));

    @Setup(Level.Trial)
    public void prepare() {
        int held =
                switch (content) {
                    case EMPTY -> 0;
                    case HALF, FOREIGN -> SIZE / 2;
                    case FULL -> SIZE;
                };
        var written = write(held);
        bytes = content == Content.FOREIGN
                ? Bytes.ofUtf8(written.replaceFirst("}$", ",\"shape\":{\"b\":1,\"a\":[2.0]}}"))
                : Bytes.ofUtf8(written);
        document = decode(bytes);
    }

    private static String write(int held) {
        var allocations = new ArrayList<String>();
        var unallocated = new ArrayList<String>();
        var attributes = new ArrayList<String>();
        var sequences = new TreeMap<String, String>();
        for (int ordinal = 0; ordinal < SIZE; ordinal++) {
            allocations.add(ordinal < held ? Integer.toString(ordinal) : "null");
            if (ordinal >= held) {
                unallocated.add(Integer.toString(ordinal));
                continue;
            }
            attributes.add("""
                {"handle_id":"k8s-pod-network.%064x","secondary":{"namespace":"production","node":"worker-17",\
                "pod":"web-7c9d8f6b5d-%05d","timestamp":"2026-03-01 10:20:30.123456789 +0000 UTC"}}\
                """.formatted(ordinal, ordinal));
            sequences.put(
                    Integer.toString(ordinal), "\"%d\":%d".formatted(ordinal, 1_772_360_430_000_000_000L + ordinal));
        }
        return """
            {"cidr":"%s","affinity":"host:worker-17","affinity_claim_time":"%s","allocations":[%s],"unallocated":[%s],\
            "attributes":[%s],"sequenceNumber":1772360430000000777,"sequenceNumberForAllocation":{%s},"deleted":false}\
            """.formatted(
                        CIDR,
                        CLAIMED,
                        String.join(",", allocations),
                        String.join(",", unallocated),
                        String.join(",", attributes),
                        String.join(",", sequences.values()));
    }

    @Benchmark
    public CalicoDocument read() {
        return decode(bytes);
    }

    @Benchmark
    public Bytes write() {
        return document.encode();
    }

    @Benchmark
    public Block stream() throws IOException {
        try (var parser = JSON.createParser(bytes.toByteArray())) {
            parser.nextToken();
            return block(parser);
        }
    }

    private static CalicoDocument decode(Bytes value) {
        return CalicoDocument.decode(KEY, value);
    }

    private static Block block(JsonParser parser) throws IOException {
        var stored = Block.stored(CIDR);
        for (var name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            switch (name) {
                case "affinity" -> stored.owner(Owner.parse(parser.getText()));
                case "affinity_claim_time" -> stored.claimedAt(Instant.parse(parser.getText()));
                case "allocations" -> stored.allocations(integers(parser, Block.FREE));
                case "unallocated" -> stored.unallocated(integers(parser, 0));
                case "attributes" -> stored.attributes(attributes(parser));
                case "sequenceNumber" -> stored.sequence(parser.getLongValue());
                case "sequenceNumberForAllocation" -> {
                    for (var ordinal = parser.nextFieldName(); ordinal != null; ordinal = parser.nextFieldName()) {
                        stored.sequenceOf(Integer.parseInt(ordinal), parser.nextLongValue(0));
                    }
                }
                default -> parser.skipChildren();
            }
        }
        return stored.build();
    }

    private static int[] integers(JsonParser parser, int insteadOfNull) throws IOException {
        int[] integers = new int[SIZE];
        int count = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            integers[count++] = parser.hasToken(JsonToken.VALUE_NULL) ? insteadOfNull : parser.getIntValue();
        }
        return Arrays.copyOf(integers, count);
    }

    private static List<Attribute> attributes(JsonParser parser) throws IOException {
        var attributes = new ArrayList<Attribute>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            var handle = "";
            SortedMap<String, String> owner = new TreeMap<>();
            for (var name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                parser.nextToken();
                if (name.equals("handle_id")) {
                    handle = parser.getText();
                } else {
                    for (var key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
                        owner.put(key, parser.nextTextValue());
                    }
                }
            }
            attributes.add(Held.by(handle, owner));
        }
        return attributes;
    }
}
