package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.Owner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockDocumentTest {

    private static final Prefix CIDR = Prefix.parse("10.9.0.4/30");

    @Test
    void aBlockSaysWhatItsDocumentSays() {
        var document = decode("""
            {"cidr":"10.9.0.4/30","affinity":"host:node-a","affinity_claim_time":"2026-03-01T11:20:30.9+01:00",\
            "allocations":[0,1,null,null],"unallocated":[3,2],\
            "attributes":[{"handle_id":"h","secondary":{"pod":"web-0"},"alternateOwnerAttrs":{"pod":"web-1"}},\
            {"releasedAt":"2026-03-01T10:25:00Z"}],\
            "sequenceNumber":18446744073709551615,\
            "sequenceNumberForAllocation":{"0":1772360430000000001,"1":1772360430000000003},"deleted":true}\
            """);

        var block = document.block();

        assertThat(block.owner()).contains(Owner.host("node-a"));
        assertThat(block.claimedAt()).contains(Instant.parse("2026-03-01T10:20:30.9Z"));
        assertThat(block.allocations()).containsExactly(0, 1, Block.FREE, Block.FREE);
        assertThat(block.unallocated()).containsExactly(3, 2);
        assertThat(block.attributes())
                .containsExactly(
                        new Held("h", owner("web-0"), owner("web-1")),
                        new Attribute.Cooling(Instant.parse("2026-03-01T10:25:00Z")));
        assertThat(Long.toUnsignedString(block.sequence())).isEqualTo("18446744073709551615");
        assertThat(block.sequences()).containsEntry(0, 1772360430000000001L).containsEntry(1, 1772360430000000003L);
        assertThat(block.deleted()).isTrue();
        assertThat(document.encode().utf8())
                .contains("\"affinity_claim_time\":\"2026-03-01T10:20:30Z\"")
                .contains("\"sequenceNumber\":18446744073709551615,");
    }

    /// What an old release wrote, after one address was given (G33 follows G32).
    @Test
    void aBlockOfAnOldReleaseIsWrittenAnew() {
        var key = new CalicoKey.OfBlock(CIDR);
        var old = decode(CalicoGolden.value("G32", key));

        var after = Block.stored(CIDR)
                .owner(Owner.host("node-a"))
                .allocations(0, 0, 1, Block.FREE)
                .unallocated(3)
                .attributes(old.block().attributes())
                .sequence(1)
                .sequences(new TreeMap<>(Collections.singletonMap(1, 0L)))
                .build();

        assertThat(old.block().sequence()).isZero();
        assertThat(old.block().claimedAt()).isEmpty();
        assertThat(old.block().ordinalsOf("x")).containsExactly(2);
        // Calico drops what it does not know; here it stays.
        assertThat(old.with(after).encode())
                .hasToString(CalicoGolden.value("G33", key).replace("false}", "false,\"foo\":1}"));
    }

    @ParameterizedTest
    @CsvSource({"strictAffinity,false", "hostAffinity,\"node-a\"", "Deleted,true"})
    void fieldsOfOldReleasesAreDropped(String name, String value) {
        var document = decode("{\"cidr\":\"10.9.0.4/30\",\"%s\":%s}".formatted(name, value));

        assertThat(document.encode().utf8()).doesNotContain(name + "\"");
    }

    @Test
    void aFreshBlockHasNoAttributesAndAnEmptiedOneAnEmptyList() {
        var now = Instant.parse("2026-11-15T07:35:17.495049852Z");
        var fresh = Block.fresh(CIDR, Owner.host("node-a"), new HostReserve.None(), now);
        var held = withAttributes(fresh, List.of(Held.by("h", owner("web-0"))));

        var created = BlockDocument.create(fresh);
        var emptied = created.with(held).with(fresh);

        assertThat(created.encode())
                .hasToString(
                        "{\"cidr\":\"10.9.0.4/30\",\"affinity\":\"host:node-a\",\"affinity_claim_time\":\"2026-11-15T07:35:17Z\",\"allocations\":[null,null,null,null],\"unallocated\":[0,1,2,3],\"attributes\":null,\"sequenceNumber\":1794728117495049852,\"sequenceNumberForAllocation\":{},\"deleted\":false}");
        assertThat(created.with(fresh.written()).encode().utf8()).contains("\"attributes\":null");
        assertThat(emptied.encode().utf8()).contains("\"attributes\":[]");
    }

    @Test
    void sequenceNumbersAreUnsigned() {
        var numbers = new TreeMap<Integer, Long>();
        for (long number : new long[] {7, 1000, 1772360430000000007L, -1}) {
            numbers.put(numbers.size(), number);
        }
        var block = Block.stored(CIDR).sequence(-2).sequences(numbers).build();

        var encoded = BlockDocument.create(block).encode().utf8();

        assertThat(encoded)
                .contains("\"sequenceNumber\":18446744073709551614,")
                .contains("{\"0\":7,\"1\":1000,\"2\":1772360430000000007,\"3\":18446744073709551615}");
    }

    @Test
    void sequenceNumbersAreSortedAsText() {
        var cidr = Prefix.parse("10.9.0.0/28");
        var numbers = new TreeMap<Integer, Long>();
        for (int ordinal : new int[] {2, 10, 1}) {
            numbers.put(ordinal, (long) ordinal);
        }
        var block = Block.stored(cidr).sequences(numbers).build();

        var encoded = BlockDocument.create(block).encode().utf8();

        assertThat(encoded).contains("{\"1\":1,\"10\":10,\"2\":2}");
    }

    @Test
    void sequenceNumbersOfTheLargestBlockAreSortedAsText() {
        var cidr = Prefix.parse("10.9.0.0/20");
        var numbers = new TreeMap<Integer, Long>();
        var sorted = new TreeMap<String, Long>();
        for (int ordinal = 0; ordinal < 4096; ordinal++) {
            numbers.put(ordinal, 7L);
            sorted.put(Integer.toString(ordinal), 7L);
        }
        var block = Block.stored(cidr).sequences(numbers).build();

        var encoded = BlockDocument.create(block).encode().utf8();

        assertThat(encoded)
                .contains(
                        sorted.keySet().stream().map("\"%s\":7"::formatted).collect(Collectors.joining(",", "{", "}")));
    }

    @Test
    void ownersAreSortedByTheirBytes() {
        var owner = new TreeMap<String, String>();
        owner.put("\uD83D\uDE00", "beyond U+FFFF");
        owner.put("\uFF5E", "before it");
        owner.put("B", "upper case first");
        owner.put("a", "<&>\u2028");
        var block = withAttributes(Block.stored(CIDR).build(), List.of(Held.by("", owner)));

        var encoded = BlockDocument.create(block).encode().utf8();

        assertThat(encoded)
                .contains("{\"B\":\"upper case"
                        + " first\",\"a\":\"\\u003c\\u0026\\u003e\\u2028\",\"\uFF5E\":\"before"
                        + " it\",\"\uD83D\uDE00\":\"beyond U+FFFF\"}");
    }

    @Test
    void foreignFieldsSurviveAlsoThoseOfAttributesThatAreRenumbered() {
        var document = decode("""
            {"shape":{"b":1,"a":[2.0]},"cidr":"10.9.0.4/30","allocations":[0,1,null,null],"unallocated":[2,3],\
            "attributes":[{"handle_id":"gone","x":1},{"handle_id":"stays","colour":"red"}]}\
            """);
        var before = document.block();

        var after = withAttributes(before, List.of(before.attributes().get(1)));

        assertThat(document.with(after).encode().utf8())
                .contains("\"attributes\":[{\"handle_id\":\"stays\",\"colour\":\"red\"}]")
                .endsWith("\"deleted\":false,\"shape\":{\"b\":1,\"a\":[2.0]}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|''",
                "{\"cidr\":\"10.9.0.8/30\"}|it is of block 10.9.0.8/30",
                "{\"cidr\":\"10.9.0.5/30\"}|it has bits set beyond the prefix length",
                "{\"cidr\":\"10.9.0.4/30\",\"allocations\":[-1]}|its allocations is not a list of" + " indexes",
                "{\"cidr\":\"10.9.0.4/30\",\"allocations\":[1.5]}|its allocations is not a whole" + " number",
                "{\"cidr\":\"10.9.0.4/30\",\"allocations\":{}}|its allocations is not an array",
                "{\"cidr\":\"10.9.0.4/30\",\"unallocated\":[99999999999]}|its unallocated is not a" + " whole number",
                "{\"cidr\":\"10.9.0.4/30\",\"attributes\":[7]}|its attributes is not a list of" + " objects",
                "{\"cidr\":\"10.9.0.4/30\",\"attributes\":[{\"releasedAt\":\"noon\"}]}|its"
                        + " releasedAt is not a time",
                "{\"cidr\":\"10.9.0.4/30\",\"attributes\":[{\"secondary\":{\"a\":1}}]}|its" + " secondary is not text",
                "{\"cidr\":\"10.9.0.4/30\",\"sequenceNumber\":-1}|its sequenceNumber is not a whole" + " number",
                "{\"cidr\":\"10.9.0.4/30\",\"sequenceNumber\":18446744073709551616}|its"
                        + " sequenceNumber is not a whole number",
                "{\"cidr\":\"10.9.0.4/30\",\"sequenceNumber\":1e3}|its sequenceNumber is not a" + " whole number",
                "{\"cidr\":\"10.9.0.4/30\",\"sequenceNumberForAllocation\":{\"4\":1}}|ordinals it" + " does not have",
                "{\"cidr\":\"10.9.0.4/30\",\"sequenceNumberForAllocation\":{\"x\":1}}|x",
                "{\"cidr\":\"10.9.0.4/30\",\"sequenceNumberForAllocation\":{\"1\":1,\"01\":2}}|has" + " two numbers",
                "{\"cidr\":\"10.9.0.4/30\",\"deleted\":\"false\"}|its deleted is not true or false",
                "{\"cidr\":\"10.9.0.4/30\",\"affinity\":5}|its affinity is not text",
            })
    void whatCannotBeABlockIsUnparsable(String json, String fault) {
        assertThatExceptionOfType(UnparsableEntryException.class)
                .isThrownBy(() -> decode(json))
                .withMessageContaining(fault);
    }

    @Test
    void aBlockWithoutAllocationsIsDamagedAndNotFree() {
        var block =
                decode("{\"cidr\":\"10.9.0.4/30\",\"unallocated\":[0,1,2,3]}").block();

        assertThat(block.damaged()).isTrue();
    }

    private static BlockDocument decode(String json) {
        return (BlockDocument) CalicoDocument.decode(new CalicoKey.OfBlock(CIDR), Bytes.ofUtf8(json));
    }

    /// The block with one allocation for each attribute.
    private static Block withAttributes(Block block, List<Attribute> attributes) {
        int[] allocations = new int[block.size()];
        var unallocated = new ArrayList<Integer>();
        for (int ordinal = 0; ordinal < allocations.length; ordinal++) {
            allocations[ordinal] = ordinal < attributes.size() ? ordinal : Block.FREE;
            if (ordinal >= attributes.size()) {
                unallocated.add(ordinal);
            }
        }
        return Block.stored(block.cidr())
                .allocations(allocations)
                .unallocated(unallocated.stream().mapToInt(Integer::intValue).toArray())
                .attributes(attributes)
                .build();
    }

    private static SortedMap<String, String> owner(String pod) {
        return new TreeMap<>(Collections.singletonMap("pod", pod));
    }
}
