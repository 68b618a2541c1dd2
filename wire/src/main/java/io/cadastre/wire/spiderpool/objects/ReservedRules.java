package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.engine.pool.IpText;
import io.cadastre.wire.json.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What reserved addresses are completed with, and which rules they must keep.
final class ReservedRules {

    private static final String VERSION = "spec.ipVersion";

    private ReservedRules() {}

    /// The family is that of the first entry.
    static void complete(ObjectNode reserved) {
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
            SpiderPoolRules.version(reader, spec)
                    .ifPresent(family -> SpiderPoolRules.canonicalise(reader, spec, "ips", family));
        }
    }

    static List<ObjectFault> faults(ObjectNode reserved, List<Family> families) {
        var reader = new Fields("");
        var spec = reader.object(reserved, Trees.SPEC);
        if (Fields.absent(spec.path("ipVersion"))) {
            return List.of(ObjectFault.invalid(
                    VERSION,
                    "null",
                    "is not generated correctly, 'spec.ips' is empty or 'spec.ips[0]' may" + " be invalid"));
        }
        var unsupported = SpiderPoolRules.unsupported(reader, spec);
        if (!unsupported.isEmpty()) {
            return unsupported;
        }
        var family = SpiderPoolRules.version(reader, spec).orElseThrow();
        var disabled = SpiderPoolRules.disabled(family, families);
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

    /// What reserved addresses of one family must not become those of the other.
    static List<ObjectFault> faultsOfUpdate(ObjectNode reserved, ObjectNode stored) {
        var before = stored.path(Trees.SPEC).path("ipVersion").toString();
        var after = reserved.path(Trees.SPEC).path("ipVersion").toString();
        return before.equals(after) ? List.of() : List.of(ObjectFault.forbidden(VERSION, "is not changeable"));
    }
}
