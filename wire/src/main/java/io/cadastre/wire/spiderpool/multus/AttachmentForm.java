package io.cadastre.wire.spiderpool.multus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.objects.MultusConfigRules;
import io.cadastre.wire.spiderpool.objects.MultusType;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// The NetworkAttachmentDefinition of a SpiderMultusConfig, with the fields of each plugin in the order in which
/// Spiderpool writes them.
///
/// @param config a SpiderMultusConfig without faults
record AttachmentForm(ObjectNode config) {

    private static final String CONFIG_NAME_ANNOTATION = "cni.spidernet.io/cniconfig-name";
    private static final String RESOURCE_ANNOTATION = "k8s.v1.cni.cncf.io/resourceName";
    private static final String OVS_RESOURCES = "ovs-cni.network.kubevirt.io/";

    /// What kubectl notes of the configuration says nothing of what is made from it.
    static final String KUBECTL_ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

    private static final String CNI_VERSION = "0.3.1";

    private static final String METADATA = "metadata";
    private static final String IPAM = "ipam";
    private static final String MASTER = "master";
    private static final String VLAN_ID = "vlanID";

    AttachmentForm {
        config = config.deepCopy();
    }

    private static Fields reader() {
        return new Fields("SpiderMultusConfig");
    }

    private ObjectNode metadata() {
        return reader().object(config, METADATA);
    }

    private ObjectNode spec() {
        return reader().object(config, "spec");
    }

    private MultusType type() {
        return MultusType.find(reader().text(spec(), "cniType")).orElseThrow();
    }

    private ObjectNode section() {
        return reader().object(spec(), type().section());
    }

    // ---- the object ----

    ObjectNode object() {
        var object = Json.emptyObject();
        object.put("apiVersion", AttachmentKeys.API_VERSION).put("kind", "NetworkAttachmentDefinition");
        var metadata = object.putObject(METADATA);
        if (!annotations().isEmpty()) {
            metadata.set("annotations", annotationsJson());
        }
        metadata.put("name", MultusConfigRules.networkName(config));
        metadata.put("namespace", reader().text(metadata(), "namespace"));
        metadata.putArray("ownerReferences").add(owner());
        var spec = object.putObject("spec");
        if (!configuration().isEmpty()) {
            spec.put("config", configuration());
        }
        return object;
    }

    ObjectNode owner() {
        return Json.emptyObject()
                .put("apiVersion", SpiderKeys.API_VERSION)
                .put("kind", "SpiderMultusConfig")
                .put("name", reader().text(metadata(), "name"))
                .put("uid", reader().text(metadata(), "uid"))
                .put("controller", true)
                .put("blockOwnerDeletion", true);
    }

    private SortedMap<String, String> annotations() {
        var annotations = new TreeMap<>(reader().textMap(metadata(), "annotations"));
        annotations.remove(KUBECTL_ANNOTATION);
        switch (type()) {
            case SRIOV, IB_SRIOV -> annotations.put(RESOURCE_ANNOTATION, reader().text(section(), "resourceName"));
            case OVS -> {
                if (!reader().text(section(), "deviceID").isEmpty()) {
                    annotations.put(RESOURCE_ANNOTATION, OVS_RESOURCES + reader().text(section(), "bridge"));
                }
            }
            case MACVLAN, IPVLAN, VLAN, IPOIB, CUSTOM -> {}
        }
        return annotations;
    }

    ObjectNode annotationsJson() {
        var json = Json.emptyObject();
        annotations().forEach(json::put);
        return json;
    }

    // ---- the configuration of CNI ----

    /// The text that Multus gives to the plugins; empty if there is none.
    String configuration() {
        if (type() == MultusType.CUSTOM) {
            return reader().text(spec(), MultusType.CUSTOM.section());
        }
        var annotations = reader().textMap(metadata(), "annotations");
        var name = annotations.getOrDefault(CONFIG_NAME_ANNOTATION, "");
        var list = Json.emptyObject();
        list.put("cniVersion", annotations.getOrDefault(MultusConfigRules.VERSION_ANNOTATION, CNI_VERSION));
        list.put("name", name.isEmpty() ? MultusConfigRules.networkName(config) : name);
        addPlugins(list.putArray("plugins"));
        return Json.write(list).utf8();
    }

    private void addPlugins(ArrayNode plugins) {
        if (makesMaster()) {
            plugins.add(masterMaker());
        }
        plugins.add(plugin());
        if (type() == MultusType.SRIOV && reader().flag(section(), "rdmaIsolation")) {
            plugins.addObject().put("type", "rdma");
        }
        reader().texts(spec(), "chainCNIJsonData").forEach(text -> plugins.add(Json.readAnyValue("plugin", text)));
        if (Fields.absent(spec().path("enableCoordinator")) || reader().flag(spec(), "enableCoordinator")) {
            plugins.add(coordinator());
        }
        if (type() == MultusType.SRIOV && number(section(), "mtu") > 0) {
            var tuning = plugins.addObject().put("type", "tuning");
            copy(tuning, section(), "mtu", "mtu");
        }
    }

    private ObjectNode plugin() {
        var plugin = Json.emptyObject();
        switch (type()) {
            case MACVLAN -> {
                plugin.put("type", type().word()).put(MASTER, master()).put("mode", "bridge");
                copy(plugin, section(), "mtu", "mtu");
                addIpam(plugin);
            }
            case IPVLAN -> {
                plugin.put("type", type().word()).put(MASTER, master());
                copy(plugin, section(), "mtu", "mtu");
                addIpam(plugin);
            }
            case VLAN -> {
                var mode = reader().text(section(), "vlanMode");
                plugin.put("type", type().word()).put(MASTER, master());
                plugin.put("vlanMode", mode.isEmpty() ? "manual" : mode);
                if (!mode.equals("auto")) {
                    plugin.put("vlanId", number(section(), VLAN_ID));
                }
                copy(plugin, section(), "mtu", "mtu");
                addIpam(plugin);
            }
            case SRIOV -> {
                copy(plugin, section(), VLAN_ID, "vlan");
                copy(plugin, section(), "minTxRateMbps", "min_tx_rate");
                copy(plugin, section(), "maxTxRateMbps", "max_tx_rate");
                plugin.put("type", type().word());
                addIpam(plugin);
            }
            case IB_SRIOV -> {
                plugin.put("type", type().word());
                copy(plugin, section(), "pkey", "pkey");
                copy(plugin, section(), "linkState", "link_state");
                copy(plugin, section(), "rdmaIsolation", "rdmaIsolation");
                copy(plugin, section(), "enableIbKubernetes", "ibKubernetesEnabled");
                addIpam(plugin);
            }
            case IPOIB -> {
                plugin.put("type", type().word()).put(MASTER, reader().text(section(), MASTER));
                addIpam(plugin);
            }
            case OVS -> {
                copy(plugin, section(), "vlan", "vlan");
                plugin.put("type", type().word()).put("bridge", reader().text(section(), "bridge"));
                copyText(plugin, section(), "deviceID", "deviceID");
                addIpam(plugin);
                copyList(plugin, section(), "trunk");
            }
            case CUSTOM -> throw new IllegalStateException("customCNI is a text");
        }
        return plugin;
    }

    /// Nothing else gives the addresses, unless it is switched off.
    private void addIpam(ObjectNode plugin) {
        if (reader().flag(spec(), "disableIPAM")) {
            return;
        }
        var pools = reader().object(section(), "ippools");
        var ipam = plugin.putObject(IPAM).put("type", "spiderpool");
        addNames(ipam, "default_ipv4_ippool", reader().texts(pools, "ipv4"));
        addNames(ipam, "default_ipv6_ippool", reader().texts(pools, "ipv6"));
        if (type() == MultusType.SRIOV && reader().flag(pools, "matchMasterSubnet")) {
            ipam.put("match_master_subnet", true);
        }
    }

    private static void addNames(ObjectNode ipam, String field, List<String> names) {
        if (!names.isEmpty()) {
            var array = ipam.putArray(field);
            names.forEach(array::add);
        }
    }

    // ---- the master of a link ----

    /// Whether the master is not there yet: a bond of several, or a VLAN of one.
    private boolean makesMaster() {
        return switch (type()) {
            case MACVLAN, IPVLAN -> masters().size() > 1 || number(section(), VLAN_ID) != 0;
            case VLAN -> masters().size() > 1;
            case SRIOV, OVS, IB_SRIOV, IPOIB, CUSTOM -> false;
        };
    }

    private List<String> masters() {
        return reader().texts(section(), MASTER);
    }

    private ObjectNode masterMaker() {
        var maker = Json.emptyObject();
        if (type() != MultusType.VLAN && number(section(), VLAN_ID) != 0) {
            copy(maker, section(), VLAN_ID, VLAN_ID);
        }
        maker.put("type", "ifacer");
        addNames(maker, "interfaces", masters());
        copy(maker, section(), "bond", "bond");
        return maker;
    }

    private String master() {
        var name = masters().size() == 1
                ? masters().getFirst()
                : reader().text(reader().object(section(), "bond"), "name");
        int vlan = type() == MultusType.VLAN ? 0 : number(section(), VLAN_ID);
        return vlan == 0 ? name : name + "." + vlan;
    }

    // ---- the coordinator ----

    private ObjectNode coordinator() {
        var settings = reader().object(spec(), "coordinator");
        var plugin = Json.emptyObject();
        copy(plugin, settings, "txQueueLen", "txQueueLen");
        copyText(plugin, settings, "vethLinkAddress", "vethLinkAddress");
        copy(plugin, settings, "vethMTU", "vethMTU");
        copy(plugin, settings, "tunePodRoutes", "tunePodRoutes");
        copyText(plugin, settings, "podMACPrefix", "podMACPrefix");
        copyText(plugin, settings, "mode", "mode");
        plugin.put("type", "coordinator");
        copyText(plugin, settings, "podDefaultRouteNIC", "podDefaultRouteNic");
        copy(plugin, settings, "podRPFilter", "podRPFilter");
        copyList(plugin, settings, "hijackCIDR");
        copyList(plugin, settings, "policyRoutes");
        return plugin;
    }

    private static int number(ObjectNode parent, String name) {
        return reader().integer(parent.path(name), name);
    }

    private static void copy(ObjectNode into, ObjectNode from, String name, String as) {
        JsonNode value = from.path(name);
        if (!Fields.absent(value)) {
            into.set(as, value.deepCopy());
        }
    }

    private static void copyText(ObjectNode into, ObjectNode from, String name, String as) {
        if (!reader().text(from, name).isEmpty()) {
            copy(into, from, name, as);
        }
    }

    private static void copyList(ObjectNode into, ObjectNode from, String name) {
        if (!reader().array(from, name).isEmpty()) {
            copy(into, from, name, name);
        }
    }
}
