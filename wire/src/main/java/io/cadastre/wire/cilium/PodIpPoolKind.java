package io.cadastre.wire.cilium;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.Holding;
import io.cadastre.engine.nodecidr.CidrSet;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.GoStruct;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A pool that nodes get CIDRs of, as many as their pods need.
final class PodIpPoolKind implements CiliumKind {

    private static final GoStruct CIDRS = GoStruct.of("cidrs", "maskSize");
    private static final GoStruct SELECTOR =
            GoStruct.of("matchLabels").with("matchExpressions", GoStruct.of("key", "operator", "values"));

    private static final Traits TRAITS = Traits.of(
                    PodIpPoolDocument.API_VERSION,
                    PodIpPoolDocument.KIND,
                    "ciliumpodippools",
                    List.of(CiliumKeys.POOLS),
                    PrinterColumn.always("IPV4", "/spec/ipv4/cidrs"),
                    PrinterColumn.always("IPV4-MASK", "/spec/ipv4/maskSize"),
                    PrinterColumn.always("IPV6", "/spec/ipv6/cidrs"),
                    PrinterColumn.always("IPV6-MASK", "/spec/ipv6/maskSize"),
                    PrinterColumn.age("AGE"))
            .writtenWith(GoStruct.KUBERNETES_OBJECT.with(
                    CiliumObjects.SPEC,
                    GoStruct.of("allowFirstIP", "allowLastIP")
                            .with("ipv4*", CIDRS)
                            .with("ipv6*", CIDRS)
                            .with("podSelector*", SELECTOR)
                            .with("namespaceSelector*", SELECTOR)));

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public boolean isCalled(String typed) {
        return CiliumKind.super.isCalled(typed) || typed.equalsIgnoreCase("cpip");
    }

    @Override
    public Bytes decode(String key, Bytes value) {
        return PodIpPoolDocument.decode(name(key).orElseThrow(), value).encode();
    }

    @Override
    public List<String> broken(CiliumStock stock, String name, ObjectNode json) {
        var reader = new Fields(key(name));
        var spec = reader.object(json, CiliumObjects.SPEC);
        var broken = new ArrayList<String>();
        if (Fields.absent(spec.path("ipv4")) && Fields.absent(spec.path("ipv6"))) {
            broken.add("spec: Required value: a pool has CIDRs of ipv4 or of ipv6");
        }
        for (var family : Family.values()) {
            if (!Fields.absent(spec.path(PodIpPoolDocument.field(family)))) {
                broken.addAll(brokenFamily(reader, spec, family));
            }
        }
        if (!broken.isEmpty()) {
            return broken;
        }
        return heldElsewhere(stock, PodIpPoolDocument.of(name, json));
    }

    private static List<String> brokenFamily(Fields reader, ObjectNode spec, Family family) {
        var field = PodIpPoolDocument.field(family);
        var part = reader.object(spec, field);
        var path = "spec." + field;
        var broken = new ArrayList<String>();
        int mask = reader.integer(part.path("maskSize"), path + ".maskSize");
        if (Fields.absent(part.path("maskSize"))) {
            broken.add(path + ".maskSize: Required value");
        } else if (mask < 1 || mask > family.bits()) {
            broken.add("%s.maskSize: Invalid value: %d: it must be from 1 to %d".formatted(path, mask, family.bits()));
        }
        var texts = reader.texts(part, "cidrs");
        if (texts.isEmpty()) {
            broken.add(path + ".cidrs: Required value: a family has one CIDR or more");
        }
        var cidrs = new ArrayList<Prefix>();
        for (int index = 0; index < texts.size(); index++) {
            var at = "%s.cidrs[%d]: Invalid value: \"%s\": ".formatted(path, index, texts.get(index));
            try {
                var cidr = Prefix.parse(texts.get(index));
                faultOfCidr(family, cidr, mask, broken.isEmpty()).ifPresent(fault -> broken.add(at + fault));
                cidrs.stream()
                        .filter(cidr::overlaps)
                        .findFirst()
                        .ifPresent(other -> broken.add(at + "it overlaps %s of the same pool".formatted(other)));
                cidrs.add(cidr);
            } catch (IllegalArgumentException malformed) {
                broken.add(at + malformed.getMessage());
            }
        }
        return broken;
    }

    /// @param maskKnown whether the mask is one
    private static Optional<String> faultOfCidr(Family family, Prefix cidr, int mask, boolean maskKnown) {
        if (cidr.family() != family) {
            return Optional.of("it is not a CIDR of %s".formatted(family));
        }
        if (!maskKnown) {
            return Optional.empty();
        }
        return mask < cidr.length()
                ? Optional.of("it has no CIDR of /%d: choose a maskSize from %d on".formatted(mask, cidr.length()))
                : CidrSet.sizeFault(new Subdivision(cidr, mask));
    }

    /// Addresses that another pool gives, of Cilium or of another dialect.
    private static List<String> heldElsewhere(CiliumStock stock, PodIpPoolDocument pool) {
        var others = new ArrayList<>(stock.neighbours());
        stock.but(CiliumKeys.pool(pool.name()))
                .forEach(stored -> others.addAll(PodIpPoolRanges.of(PodIpPoolRanges.document(stored))));
        var ranges = PodIpPoolRanges.of(pool);
        return others.stream()
                .filter(other -> ranges.stream().anyMatch(own -> own.range().overlaps(other.range())))
                .map(other ->
                        "spec: Forbidden: it overlaps %s of %s: no two pools may give addresses of one range; choose other addresses, or %s %s first"
                                .formatted(
                                        other.range(),
                                        other.holder(),
                                        other.level() == Holding.Level.NODE ? "release the addresses of" : "delete",
                                        other.holder()))
                .toList();
    }

    @Override
    public List<String> broken(CiliumStock stock, String name, ObjectNode json, ObjectNode before) {
        var changed = new ArrayList<String>();
        for (var family : Family.values()) {
            var path = "/spec/%s/maskSize".formatted(PodIpPoolDocument.field(family));
            var old = before.at(path);
            var given = json.at(path);
            if (!Fields.absent(old) && !Fields.absent(given) && !old.toString().equals(given.toString())) {
                changed.add("spec.%s.maskSize: Invalid value: %s: maskSize is immutable"
                        .formatted(PodIpPoolDocument.field(family), given));
            }
        }
        for (var flag : List.of("allowFirstIP", "allowLastIP")) {
            if (asFlag(before, flag) != asFlag(json, flag)) {
                changed.add("spec.%s: Invalid value: %s: %s is immutable".formatted(flag, asFlag(json, flag), flag));
            }
        }
        return changed.isEmpty() ? broken(stock, name, json) : changed;
    }

    /// A flag that is missing is false.
    private static boolean asFlag(JsonNode json, String flag) {
        return json.at("/spec/" + flag).asBoolean(false);
    }
}
