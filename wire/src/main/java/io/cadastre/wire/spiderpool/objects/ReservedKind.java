package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.pool.IpText;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.GoStruct;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Addresses that no pool gives.
final class ReservedKind implements SpiderKind {

    private static final GoStruct RESERVED_SPEC = GoStruct.of("ipVersion", "ips");

    private static final String VERSION = "spec.ipVersion";

    private static final Traits TRAITS = SpiderKind.traits(
                    ReservedDocument.KIND, SpiderKeys.RESERVED, PrinterColumn.always("VERSION", "/spec/ipVersion"))
            .writtenWith(SpiderKind.fields(RESERVED_SPEC));

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public boolean isCalled(String typed) {
        return SpiderKind.super.isCalled(typed) || typed.equalsIgnoreCase("sr");
    }

    /// It has no status.
    @Override
    public boolean countsAddresses() {
        return false;
    }

    @Override
    public List<String> specFields() {
        return RESERVED_SPEC.names();
    }

    @Override
    public Bytes decode(String key, Bytes value) {
        return ReservedDocument.decode(name(key).orElseThrow(), value).encode();
    }

    @Override
    public Bytes encode(String name, ObjectNode json) {
        return ReservedDocument.of(name, json).encode();
    }

    /// The family is that of the first entry.
    @Override
    public void complete(ObjectView view, Given given, ObjectNode reserved) {
        var reader = new Fields("");
        var spec = Trees.child(reserved, Trees.SPEC);
        var texts = reader.texts(spec, "ips");
        if (Fields.absent(spec.path("ipVersion")) && !texts.isEmpty()) {
            Stream.of(Family.values())
                    .filter(family -> IpText.range(family, texts.getFirst()).isPresent())
                    .findFirst()
                    .ifPresent(family -> spec.put("ipVersion", IpText.version(family)));
        }
        if (!Fields.absent(spec.path("ipVersion"))) {
            SpiderPoolRules.family(version(reader, spec))
                    .ifPresent(family -> SpiderPoolRules.canonicalise(reader, spec, "ips", family));
        }
    }

    /// As it is written.
    private static String version(Fields reader, ObjectNode spec) {
        return Integer.toString(reader.integer(spec.path("ipVersion"), VERSION));
    }

    @Override
    public List<ObjectFault> faultsOfCreation(ObjectView view, Given given, ObjectNode reserved) {
        var reader = new Fields("");
        var spec = reader.object(reserved, Trees.SPEC);
        if (Fields.absent(spec.path("ipVersion"))) {
            return List.of(ObjectFault.invalid(
                    VERSION,
                    "null",
                    "is not generated correctly, 'spec.ips' is empty or 'spec.ips[0]' may" + " be invalid"));
        }
        var version = version(reader, spec);
        var found = SpiderPoolRules.family(version);
        if (found.isEmpty()) {
            return List.of(SpiderPoolRules.unsupported(version));
        }
        var family = found.get();
        var disabled = SpiderPoolRules.disabled(family, given.families());
        if (disabled.isPresent()) {
            return List.of(disabled.get());
        }
        var faults = new ArrayList<ObjectFault>();
        var texts = reader.texts(spec, "ips");
        for (int index = 0; index < texts.size(); index++) {
            if (IpText.range(family, texts.get(index)).isEmpty()) {
                faults.add(ObjectFault.invalid(
                        "spec.ips[%d]".formatted(index), texts.get(index), PoolForm.noRange(family, texts.get(index))));
            }
        }
        return faults;
    }

    /// Reserved addresses of one family do not become those of the other.
    @Override
    public List<ObjectFault> faultsOfUpdate(ObjectView view, Given given, ObjectNode reserved, ObjectNode stored) {
        var faults = faultsOfCreation(view, given, reserved);
        var before = stored.path(Trees.SPEC).path("ipVersion").toString();
        var after = reserved.path(Trees.SPEC).path("ipVersion").toString();
        return faults.isEmpty() && !before.equals(after)
                ? List.of(ObjectFault.forbidden(VERSION, "is not changeable"))
                : faults;
    }
}
