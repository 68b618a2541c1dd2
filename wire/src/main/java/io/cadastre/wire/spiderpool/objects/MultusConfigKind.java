package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.GoStruct;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import java.util.List;
import java.util.Optional;

/// A network of Multus, from which its NetworkAttachmentDefinition is made. Its name is its namespace, a slash and its
/// name.
final class MultusConfigKind implements SpiderKind {

    private static final GoStruct POOLS = GoStruct.of("ipv4", "ipv6", "matchMasterSubnet");

    private static final GoStruct LINK = GoStruct.of("master", "mtu", "rdmaResourceName", "vlanID")
            .with("bond", GoStruct.of("mode", "name", "options"))
            .with("ippools", POOLS);

    private static final GoStruct SPEC = GoStruct.of(
                    "chainCNIJsonData", "cniType", "customCNI", "disableIPAM", "enableCoordinator")
            .with("coordinator", CoordinatorKind.SPEC)
            .with(MultusType.MACVLAN.section(), LINK)
            .with(MultusType.IPVLAN.section(), LINK)
            .with(MultusType.VLAN.section(), LINK.with("vlanMode"))
            .with(
                    MultusType.SRIOV.section(),
                    GoStruct.of("maxTxRateMbps", "minTxRateMbps", "mtu", "rdmaIsolation", "resourceName", "vlanID")
                            .with("ippools", POOLS))
            .with(
                    MultusType.OVS.section(),
                    GoStruct.of("bridge", "deviceID", "vlan")
                            .with("trunk", GoStruct.of("id", "maxID", "minID"))
                            .with("ippools", POOLS))
            .with(
                    MultusType.IB_SRIOV.section(),
                    GoStruct.of("enableIbKubernetes", "linkState", "pkey", "rdmaIsolation", "resourceName")
                            .with("ippools", POOLS))
            .with(MultusType.IPOIB.section(), GoStruct.of("master").with("ippools", POOLS));

    private static final Traits TRAITS = SpiderKind.traits(
                    "SpiderMultusConfig", SpiderKeys.MULTUS_CONFIGS, PrinterColumn.always("CNI-TYPE", "/spec/cniType"))
            .writtenWith(SpiderKind.fields(SPEC));

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public boolean isCalled(String typed) {
        return SpiderKind.super.isCalled(typed) || typed.equalsIgnoreCase("smc");
    }

    @Override
    public boolean namespaced() {
        return true;
    }

    @Override
    public boolean standsAlone() {
        return true;
    }

    @Override
    public Optional<String> name(String key) {
        return Optional.of(key)
                .filter(whole -> whole.startsWith(SpiderKeys.MULTUS_CONFIGS))
                .map(whole -> whole.substring(SpiderKeys.MULTUS_CONFIGS.length()))
                .filter(this::isName);
    }

    @Override
    public List<String> specFields() {
        return SPEC.names();
    }

    @Override
    public Bytes decode(String key, Bytes value) {
        var reader = new Fields(key);
        var json = Json.readObject(key, value);
        reader.expect(json, "kind", word());
        reader.expect(json, "apiVersion", SpiderKeys.API_VERSION);
        return Json.write(json);
    }

    @Override
    public Bytes encode(String name, ObjectNode json) {
        return Json.write(json);
    }

    /// A configuration as it is written has no coordinator that could be added to it.
    @Override
    public void complete(ObjectView view, Given given, ObjectNode config) {
        var spec = Trees.child(config, Trees.SPEC);
        if (Fields.absent(spec.path("cniType"))) {
            spec.put("cniType", MultusType.CUSTOM.word());
        }
        if (spec.path("cniType").asText().equals(MultusType.CUSTOM.word())
                && Fields.absent(spec.path("enableCoordinator"))) {
            spec.put("enableCoordinator", false);
        }
    }

    @Override
    public List<ObjectFault> faultsOfCreation(ObjectView view, Given given, ObjectNode config) {
        return MultusConfigRules.faults(config);
    }

    @Override
    public List<ObjectFault> faultsOfUpdate(ObjectView view, Given given, ObjectNode config, ObjectNode before) {
        var faults = MultusConfigRules.faults(config);
        return faults.isEmpty() ? MultusConfigRules.faultsOfName(config, before) : faults;
    }
}
