package io.cadastre.cli.ipam;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.core.util.Separators.Spacing;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.ipam.Inspection.Allocation;
import io.cadastre.cli.session.CalicoVersion;
import io.cadastre.cli.session.ClusterFacts;
import io.cadastre.engine.block.release.ReleaseOption;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// The report file of `ipam check`, by which `ipam release` cleans up.
///
/// @param json the whole document, which other tools write too
record InspectionReport(String file, JsonNode json) {

    /// Enough for a million addresses.
    private static final int BYTES_MAX = 1 << 29;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /// A handle that has no address.
    record LeakedHandle(String id, String revision) {}

    /// @param version of the program that makes it
    static InspectionReport of(String file, Inspection inspection, ClusterFacts cluster, CalicoVersion version) {
        var json = JsonNodeFactory.instance.objectNode();
        json.put("version", version.text()).put("clusterGUID", cluster.guid());
        json.put("datastoreLocked", cluster.locked());
        json.put("clusterInformationRevision", cluster.revision());
        json.put("clusterType", cluster.type());
        var byAddress = new TreeMap<String, Allocation>();
        for (var allocation : inspection.allocations()) {
            byAddress.put(allocation.address().toString(), allocation);
        }
        var allocations = json.putObject("allocations");
        byAddress.forEach((address, allocation) -> put(
                allocations.putArray(address).addObject(),
                allocation,
                inspection.users().getOrDefault(allocation.address(), List.of())));
        if (!inspection.leakedHandles().isEmpty()) {
            var handles = json.putArray("leakedHandles");
            for (var handle : inspection.leakedHandles()) {
                handles.addObject()
                        .put("ID", handle.id())
                        .putNull("UID")
                        .put("Revision", Long.toString(handle.revision()));
            }
        }
        return new InspectionReport(file, json);
    }

    private static void put(ObjectNode entry, Allocation allocation, List<String> users) {
        entry.put("ip", allocation.address().toString());
        putText(entry, "handle", allocation.handle());
        if (allocation.sequence() != 0) {
            entry.put("sequenceNumber", new BigInteger(Long.toUnsignedString(allocation.sequence())));
        }
        putText(entry, "pod", allocation.ownerAttribute("pod"));
        putText(entry, "namespace", allocation.ownerAttribute("namespace"));
        putText(entry, "node", allocation.node());
        putText(entry, "type", allocation.ownerAttribute("type"));
        putText(entry, "creationTimestamp", allocation.ownerAttribute("timestamp"));
        entry.put("inUse", !users.isEmpty());
        putFlag(entry, "borrowed", allocation.borrowed());
        putFlag(entry, "coolingDown", allocation.cooling());
        if (users.isEmpty()) {
            entry.putNull("owners");
        } else {
            users.forEach(entry.putArray("owners")::add);
        }
    }

    private static void putText(ObjectNode entry, String name, String text) {
        if (!text.isEmpty()) {
            entry.put(name, text);
        }
    }

    private static void putFlag(ObjectNode entry, String name, boolean flag) {
        if (flag) {
            entry.put(name, true);
        }
    }

    void write() {
        var lines = new DefaultIndenter("  ", "\n");
        var printer = new DefaultPrettyPrinter(
                        Separators.createDefaultInstance().withObjectFieldValueSpacing(Spacing.AFTER))
                .withObjectIndenter(lines)
                .withArrayIndenter(lines);
        try {
            Files.writeString(Path.of(file), MAPPER.writer(printer).writeValueAsString(json) + "\n");
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree is always JSON", impossible);
        } catch (IOException unwritable) {
            throw new CommandRefusedException(
                    "report %s cannot be written: %s".formatted(file, unwritable.getMessage()));
        }
    }

    /// @throws UsageException if the file does not contain a report
    static InspectionReport read(String file) {
        try (var stream = Files.newInputStream(Path.of(file))) {
            // What is not a file, such as a pipe, has no size.
            requireFitting(file, Files.size(Path.of(file)));
            var bytes = stream.readNBytes(BYTES_MAX + 1);
            requireFitting(file, bytes.length);
            var json = MAPPER.readTree(bytes);
            if (!json.isObject()) {
                throw new UsageException("%s is not a report".formatted(file));
            }
            return new InspectionReport(file, json);
        } catch (IOException unreadable) {
            throw new UsageException("report %s cannot be read: %s"
                    .formatted(
                            file,
                            String.valueOf(unreadable.getMessage())
                                    .lines()
                                    .findFirst()
                                    .orElse("")));
        }
    }

    private static void requireFitting(String file, long bytes) {
        if (bytes > BYTES_MAX) {
            throw new UsageException(
                    "report %s has more than %d bytes; make one of fewer addresses".formatted(file, BYTES_MAX));
        }
    }

    String text(String field) {
        return json.path(field).asText("");
    }

    /// The addresses that it lists as unused, with the handle and the sequence number that each was given
    /// at.
    List<ReleaseOption> leaks() {
        var leaks = new ArrayList<ReleaseOption>();
        for (var entries : json.path("allocations")) {
            for (var entry : entries) {
                if (!entry.path("inUse").asBoolean()
                        && !entry.path("coolingDown").asBoolean()) {
                    leaks.add(ReleaseOption.of(entry.path("ip").asText())
                            .withHandle(entry.path("handle").asText(""))
                            .withSequence(Long.parseUnsignedLong(
                                    entry.path("sequenceNumber").asText("0"))));
                }
            }
        }
        return leaks;
    }

    List<LeakedHandle> leakedHandles() {
        var handles = new ArrayList<LeakedHandle>();
        for (var entry : json.path("leakedHandles")) {
            handles.add(new LeakedHandle(
                    entry.path("ID").asText(), entry.path("Revision").asText("")));
        }
        return handles;
    }
}
