package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.NodeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What a SpiderMultusConfig must say, so that a NetworkAttachmentDefinition can be made from it.
public final class MultusConfigRules {

    /// Names the NetworkAttachmentDefinition where it is not called like its configuration.
    public static final String NAME_ANNOTATION = "multus.spidernet.io/cr-name";

    /// The version of CNI that it is written for.
    public static final String VERSION_ANNOTATION = "multus.spidernet.io/cni-version";

    private static final Set<String> CNI_VERSIONS = Set.of("0.3.0", "0.3.1", "0.4.0", "1.0.0");

    private static final int VLAN_MAX = 4094;
    private static final int BOND_MODE_MAX = 6;

    private static final String ANNOTATIONS = "metadata.annotations";

    private MultusConfigRules() {}

    /// All that is wrong with it; the NetworkAttachmentDefinition of one without a fault can be made.
    ///
    /// @throws UnreadableDocumentException if a field has a value of another type
    public static List<ObjectFault> faults(ObjectNode config) {
        var reader = new Fields("");
        var faults = new ArrayList<>(annotationFaults(reader, config));
        var spec = reader.object(config, Trees.SPEC);
        var word = reader.text(spec, "cniType");
        var found = MultusType.find(word);
        if (found.isEmpty()) {
            faults.add(ObjectFault.unsupported("spec.cniType", quoted(word), MultusType.words()));
            return faults;
        }
        var type = found.get();
        for (var other : MultusType.values()) {
            if (other != type && !Fields.absent(spec.path(other.section()))) {
                faults.add(ObjectFault.forbidden(
                        "spec." + other.section(),
                        "cniType is %s, so only spec.%s counts; remove this".formatted(type.word(), type.section())));
            }
        }
        if (type == MultusType.CUSTOM) {
            faults.addAll(customFaults(reader, spec));
        } else if (Fields.absent(spec.path(type.section()))) {
            faults.add(ObjectFault.required("spec." + type.section(), "cniType %s needs it".formatted(type.word())));
        } else {
            faults.addAll(new Section(reader, type, reader.object(spec, type.section())).faults());
        }
        reader.flag(spec, "disableIPAM");
        reader.flag(spec, "enableCoordinator");
        faults.addAll(CoordinatorRules.faults(reader.object(spec, "coordinator"), "spec.coordinator"));
        var chained = reader.texts(spec, "chainCNIJsonData");
        for (int index = 0; index < chained.size(); index++) {
            if (!isPlugin(chained.get(index))) {
                faults.add(ObjectFault.invalid(
                        "spec.chainCNIJsonData[%d]".formatted(index),
                        chained.get(index),
                        "it is not the configuration of a plugin: a JSON object with a type"));
            }
        }
        return faults;
    }

    /// The NetworkAttachmentDefinition keeps its name, since pods name it.
    static List<ObjectFault> faultsOfName(ObjectNode config, ObjectNode before) {
        var former = networkName(before);
        var name = networkName(config);
        return former.equals(name)
                ? List.of()
                : List.of(ObjectFault.forbidden(
                        "%s[%s]".formatted(ANNOTATIONS, NAME_ANNOTATION),
                        "the NetworkAttachmentDefinition is '%s' and cannot become '%s'; create another SpiderMultusConfig"
                                .formatted(former, name)));
    }

    /// What its NetworkAttachmentDefinition is called.
    public static String networkName(ObjectNode config) {
        var reader = new Fields("");
        var metadata = reader.object(config, Trees.METADATA);
        var other = reader.textMap(metadata, "annotations").getOrDefault(NAME_ANNOTATION, "");
        return other.isEmpty() ? reader.text(metadata, "name") : other;
    }

    private static List<ObjectFault> annotationFaults(Fields reader, ObjectNode config) {
        var faults = new ArrayList<ObjectFault>();
        var annotations = reader.textMap(reader.object(config, Trees.METADATA), "annotations");
        var name = annotations.getOrDefault(NAME_ANNOTATION, "");
        if (annotations.containsKey(NAME_ANNOTATION) && NodeName.fault(name).isPresent()) {
            faults.add(ObjectFault.invalid(
                    "%s[%s]".formatted(ANNOTATIONS, NAME_ANNOTATION),
                    name,
                    "it is not a lower case RFC 1123 subdomain"));
        }
        var version = annotations.getOrDefault(VERSION_ANNOTATION, "0.3.1");
        if (!CNI_VERSIONS.contains(version)) {
            faults.add(ObjectFault.invalid(
                    "%s[%s]".formatted(ANNOTATIONS, VERSION_ANNOTATION),
                    version,
                    "unsupported CNI version; it must be 0.3.0, 0.3.1, 0.4.0 or 1.0.0"));
        }
        return faults;
    }

    private static List<ObjectFault> customFaults(Fields reader, ObjectNode spec) {
        var text = reader.text(spec, MultusType.CUSTOM.section());
        if (!text.isEmpty() && !isObject(text)) {
            return List.of(ObjectFault.invalid("spec.customCNI", text, "it is not a JSON object"));
        }
        return reader.flag(spec, "enableCoordinator")
                ? List.of(ObjectFault.forbidden(
                        "spec.enableCoordinator",
                        "a coordinator is not added to customCNI; write it there, and remove this"))
                : List.of();
    }

    private static boolean isObject(String text) {
        try {
            return Json.readAnyValue("customCNI", text) instanceof ObjectNode;
        } catch (UnreadableDocumentException _) {
            return false;
        }
    }

    private static boolean isPlugin(String text) {
        try {
            return Json.readAnyValue("plugin", text) instanceof ObjectNode plugin
                    && !plugin.path("type").asText("").isEmpty();
        } catch (UnreadableDocumentException _) {
            return false;
        }
    }

    private static String quoted(String text) {
        return "\"" + text + "\"";
    }

    /// The section of the type.
    private record Section(Fields reader, MultusType type, ObjectNode json) {

        List<ObjectFault> faults() {
            var faults = new ArrayList<ObjectFault>();
            switch (type) {
                case MACVLAN, IPVLAN -> {
                    checkMasters(faults);
                    checkVlan(faults, "vlanID");
                    checkNotNegative(faults, "mtu");
                }
                case VLAN -> {
                    checkMasters(faults);
                    checkVlan(faults, "vlanID");
                    checkVlanMode(faults);
                    checkNotNegative(faults, "mtu");
                }
                case SRIOV -> {
                    checkNamed(faults, "resourceName");
                    checkVlan(faults, "vlanID");
                    checkNotNegative(faults, "mtu");
                    checkRates(faults);
                    reader.flag(json, "rdmaIsolation");
                }
                case IB_SRIOV -> {
                    checkNamed(faults, "resourceName");
                    checkOneOf(faults, "linkState", List.of("auto", "enable", "disable"));
                    reader.text(json, "pkey");
                    reader.flag(json, "rdmaIsolation");
                    reader.flag(json, "enableIbKubernetes");
                }
                case IPOIB -> checkNamed(faults, "master");
                case OVS -> {
                    checkNamed(faults, "bridge");
                    reader.text(json, "deviceID");
                    checkVlan(faults, "vlan");
                    checkTrunks(faults);
                }
                case CUSTOM -> throw new IllegalStateException("customCNI is a text");
            }
            checkPools(faults);
            return faults;
        }

        private String field(String name) {
            return "spec.%s.%s".formatted(type.section(), name);
        }

        private void checkNamed(List<ObjectFault> faults, String name) {
            if (reader.text(json, name).isEmpty()) {
                faults.add(ObjectFault.required(field(name), "cniType %s needs it".formatted(type.word())));
            }
        }

        private void checkOneOf(List<ObjectFault> faults, String name, List<String> words) {
            var word = reader.text(json, name);
            if (!word.isEmpty() && !words.contains(word)) {
                faults.add(
                        ObjectFault.unsupported(field(name), quoted(word), "\"" + String.join("\", \"", words) + "\""));
            }
        }

        private void checkNotNegative(List<ObjectFault> faults, String name) {
            int number = reader.integer(json.path(name), name);
            if (number < 0) {
                faults.add(ObjectFault.invalid(
                        field(name), Integer.toString(number), "it must be greater than or equal to 0"));
            }
        }

        private void checkVlan(List<ObjectFault> faults, String name) {
            int vlan = reader.integer(json.path(name), name);
            if (vlan < 0 || vlan > VLAN_MAX) {
                faults.add(ObjectFault.invalid(
                        field(name), Integer.toString(vlan), "it must be in the range [0,%d]".formatted(VLAN_MAX)));
            }
        }

        private void checkMasters(List<ObjectFault> faults) {
            var masters = reader.texts(json, "master");
            if (masters.isEmpty() || masters.contains("")) {
                faults.add(ObjectFault.required(field("master"), "name at least one interface of the nodes"));
            }
            var bond = reader.object(json, "bond");
            if (masters.size() > 1 && reader.text(bond, "name").isEmpty()) {
                faults.add(ObjectFault.required(
                        field("bond.name"), "several masters become a bond; name it, or name one master"));
            }
            int mode = reader.integer(bond.path("mode"), "mode");
            if (mode < 0 || mode > BOND_MODE_MAX) {
                faults.add(ObjectFault.invalid(
                        field("bond.mode"),
                        Integer.toString(mode),
                        "it must be in the range [0,%d]".formatted(BOND_MODE_MAX)));
            }
            reader.text(bond, "options");
            reader.text(json, "rdmaResourceName");
        }

        private void checkVlanMode(List<ObjectFault> faults) {
            checkOneOf(faults, "vlanMode", List.of("manual", "auto"));
            if (reader.text(json, "vlanMode").equals("auto") && !Fields.absent(json.path("vlanID"))) {
                faults.add(ObjectFault.forbidden(field("vlanID"), "vlanMode is auto; remove this"));
            }
        }

        private void checkRates(List<ObjectFault> faults) {
            checkNotNegative(faults, "minTxRateMbps");
            checkNotNegative(faults, "maxTxRateMbps");
            int least = reader.integer(json.path("minTxRateMbps"), "minTxRateMbps");
            int most = reader.integer(json.path("maxTxRateMbps"), "maxTxRateMbps");
            // No limit is 0.
            if (most > 0 && least > most) {
                faults.add(ObjectFault.invalid(
                        field("minTxRateMbps"), Integer.toString(least), "it is greater than maxTxRateMbps"));
            }
        }

        private void checkTrunks(List<ObjectFault> faults) {
            var trunks = reader.array(json, "trunk");
            for (int index = 0; index < trunks.size(); index++) {
                var place = field("trunk[%d]".formatted(index));
                if (!(trunks.get(index) instanceof ObjectNode trunk)) {
                    throw reader.wrong("trunk", "an array of objects");
                }
                for (var name : List.of("id", "minID", "maxID")) {
                    int vlan = reader.integer(trunk.path(name), name);
                    if (vlan < 0 || vlan > VLAN_MAX) {
                        faults.add(ObjectFault.invalid(
                                place + "." + name,
                                Integer.toString(vlan),
                                "it must be in the range [0,%d]".formatted(VLAN_MAX)));
                    }
                }
                if (!Fields.absent(trunk.path("maxID"))
                        && reader.integer(trunk.path("minID"), "minID")
                                > reader.integer(trunk.path("maxID"), "maxID")) {
                    faults.add(ObjectFault.invalid(
                            place + ".minID", trunk.path("minID").toString(), "it is greater than maxID"));
                }
            }
        }

        private void checkPools(List<ObjectFault> faults) {
            var pools = reader.object(json, "ippools");
            for (var family : List.of("ipv4", "ipv6")) {
                if (reader.texts(pools, family).contains("")) {
                    faults.add(ObjectFault.invalid(field("ippools." + family), "", "it has an empty name"));
                }
            }
            if (reader.flag(pools, "matchMasterSubnet") && type != MultusType.SRIOV) {
                faults.add(ObjectFault.forbidden(
                        field("ippools.matchMasterSubnet"),
                        "it works for cniType sriov only, and this is %s; remove it".formatted(type.word())));
            }
        }
    }
}
