package io.cadastre.wire.spiderpool.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What users write of networks: SpiderMultusConfigs and SpiderCoordinators.
class NetworkObjectsTest {

    private static final Instant NOW = Instant.parse("2026-11-15T08:20:13Z");

    private final MemoryDatastore store = new MemoryDatastore();

    private static Given given(SpiderKind kind, String metadata, String spec) {
        var json = Json.emptyObject();
        json.set("metadata", Json.readObject("metadata", Bytes.ofUtf8(metadata)));
        json.set("spec", Json.readObject("spec", Bytes.ofUtf8(spec)));
        return new Given(kind, json, new UUID(0, 1), NOW, List.of(Family.IPV4, Family.IPV6));
    }

    private ObjectOutcome apply(Given given) {
        var page = ObjectBook.of(store, given.kind().key(given.name())).open();
        var decision = SpiderObjects.apply(page.view(), given);
        page.with(decision.changes()).save();
        return decision.outcome();
    }

    private String refusal(SpiderKind kind, String metadata, String spec) {
        return ((ObjectOutcome.Refused) apply(given(kind, metadata, spec))).sentence();
    }

    private ObjectNode stored(String key) {
        return Json.readObject(key, store.get(key).orElseThrow().value());
    }

    @Test
    void networkIsStoredInItsNamespaceAndCompleted() {
        var outcome = apply(given(SpiderKinds.MULTUS_CONFIG, "{\"name\":\"n\",\"namespace\":\"shop\"}", "{}"));
        var defaulted = apply(given(SpiderKinds.MULTUS_CONFIG, "{\"name\":\"n\"}", "{}"));

        assertThat(outcome).isEqualTo(new ObjectOutcome.Created());
        assertThat(defaulted).isEqualTo(new ObjectOutcome.Created());
        assertThat(store.get(SpiderKeys.MULTUS_CONFIGS + "shop/n")
                        .orElseThrow()
                        .value()
                        .utf8())
                .isEqualTo("""
                    {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderMultusConfig",\
                    "metadata":{"creationTimestamp":"2026-11-15T08:20:13Z","name":"n","namespace":"shop",\
                    "uid":"00000000-0000-0000-0000-000000000001"},\
                    "spec":{"cniType":"custom","enableCoordinator":false}}\
                    """);
        assertThat(stored(SpiderKeys.MULTUS_CONFIGS + "default/n")
                        .at("/metadata/namespace")
                        .asText())
                .isEqualTo("default");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'cniType':'bridge'}|spec.cniType: Unsupported value: \"bridge\": supported values: \"macvlan\","
                        + " \"ipvlan\"",
                "{'cniType':'macvlan'}|spec.macvlan: Required value: cniType macvlan needs it",
                "{'cniType':'macvlan','macvlan':{'master':[]}}|spec.macvlan.master: Required value",
                "{'cniType':'macvlan','macvlan':{'master':['a','b']}}|spec.macvlan.bond.name: Required value",
                "{'cniType':'macvlan','macvlan':{'master':['a'],'vlanID':4095}}|spec.macvlan.vlanID: Invalid value:"
                        + " \"4095\": it must be in the range [0,4094]",
                "{'cniType':'macvlan','macvlan':{'master':['a'],'mtu':-1}}|spec.macvlan.mtu: Invalid value: \"-1\"",
                "{'cniType':'macvlan','macvlan':{'master':['a']},'ipvlan':{'master':['a']}}|spec.ipvlan: Forbidden:"
                        + " cniType is macvlan, so only spec.macvlan counts; remove this",
                "{'cniType':'macvlan','macvlan':{'master':['a'],'ippools':{'matchMasterSubnet':true}}}|spec.macvlan.ippools.matchMasterSubnet:"
                    + " Forbidden: it works for cniType sriov only",
                "{'cniType':'macvlan','macvlan':{'master':['a'],'ippools':{'ipv4':['']}}}|spec.macvlan.ippools.ipv4:"
                        + " Invalid value: \"\": it has an empty name",
                "{'cniType':'macvlan','macvlan':{'master':'eth0'}}|its master is not an array",
                "{'cniType':'vlan','vlan':{'master':['a'],'vlanMode':'auto','vlanID':3}}|spec.vlan.vlanID: Forbidden",
                "{'cniType':'sriov','sriov':{}}|spec.sriov.resourceName: Required value",
                "{'cniType':'sriov','sriov':{'resourceName':'r','minTxRateMbps':3,'maxTxRateMbps':2}}|spec.sriov.minTxRateMbps:"
                    + " Invalid value: \"3\": it is greater than maxTxRateMbps",
                "{'cniType':'ib-sriov','ibsriov':{'resourceName':'r','linkState':'up'}}|spec.ibsriov.linkState:"
                        + " Unsupported value: \"up\"",
                "{'cniType':'ipoib','ipoib':{}}|spec.ipoib.master: Required value",
                "{'cniType':'ovs','ovs':{'bridge':'b','trunk':[{'minID':5,'maxID':4}]}}|spec.ovs.trunk[0].minID:"
                        + " Invalid value: \"5\": it is greater than maxID",
                "{'customCNI':'{'}|spec.customCNI: Invalid value: \"{\": it is not a JSON object",
                "{'enableCoordinator':true}|spec.enableCoordinator: Forbidden",
                "{'chainCNIJsonData':['{}']}|spec.chainCNIJsonData[0]: Invalid value",
                "{'cniType':'ipoib','ipoib':{'master':'i'},'coordinator':{'mode':'over'}}|spec.coordinator.mode:"
                        + " Unsupported value: \"over\"",
            })
    void impossibleNetworkIsRefused(String spec, String words) {
        assertThat(refusal(SpiderKinds.MULTUS_CONFIG, "{\"name\":\"n\"}", spec.replace("'", "\"")))
                .startsWith("SpiderMultusConfig.spiderpool.spidernet.io \"default/n\" is invalid: ")
                .contains(words);
        assertThat(store.listAll(SpiderKeys.MULTUS_CONFIGS).documents()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "cr-name|Not_a_name|metadata.annotations[multus.spidernet.io/cr-name]: Invalid value",
                "cr-name|``|metadata.annotations[multus.spidernet.io/cr-name]: Invalid value",
                "cni-version|0.2.0|metadata.annotations[multus.spidernet.io/cni-version]: Invalid value: \"0.2.0\":"
                        + " unsupported CNI version",
            })
    void impossibleAnnotationIsRefused(String name, String value, String words) {
        var metadata = "{\"name\":\"n\",\"annotations\":{\"multus.spidernet.io/%s\":\"%s\"}}".formatted(name, value);

        assertThat(refusal(SpiderKinds.MULTUS_CONFIG, metadata, "{}")).contains(words);
    }

    @Test
    void networkKeepsTheNameOfItsAttachment() {
        var named = "{\"name\":\"n\",\"annotations\":{\"multus.spidernet.io/cr-name\":\"%s\"}}";
        apply(given(SpiderKinds.MULTUS_CONFIG, named.formatted("a"), "{}"));

        assertThat(refusal(SpiderKinds.MULTUS_CONFIG, named.formatted("b"), "{}"))
                .contains("the NetworkAttachmentDefinition is 'a' and cannot become 'b'");
        assertThat(refusal(SpiderKinds.MULTUS_CONFIG, "{\"name\":\"n\"}", "{}")).contains("cannot become 'n'");
    }

    @Test
    void coordinatorIsCompletedAndAnswered() {
        var outcome = apply(given(
                SpiderKinds.COORDINATOR,
                "{\"name\":\"c\"}",
                "{\"podCIDRType\":\"none\",\"hijackCIDR\":[\"10.0.0.1\"],\"podMACPrefix\":\"0a:1b\"}"));

        assertThat(outcome).isEqualTo(new ObjectOutcome.Created());
        var settings = CoordinatorSettings.decode(
                store.get(SpiderKeys.COORDINATORS + "c").orElseThrow());
        assertThat(settings.ready()).isTrue();
        assertThat(settings.answer("net1").utf8()).isEqualTo("""
            {"hijackCIDR":["10.0.0.1"],"hostRuleTable":500,"mode":"auto","overlayPodCIDR":[],"podDefaultRouteNIC":"net1",\
            "podMACPrefix":"0a:1b","policyRoutes":[],"serviceCIDR":[],"tunePodRoutes":true,"vethMTU":1500}\
            """);
    }

    @Test
    void coordinatorIsReadyWhenItsStatusIsSynced() {
        apply(given(SpiderKinds.COORDINATOR, "{\"name\":\"c\"}", "{\"podCIDRType\":\"cluster\"}"));
        var key = SpiderKeys.COORDINATORS + "c";
        var json = stored(key);
        var waiting = new CoordinatorSettings("c", json);
        Trees.child(json, "status")
                .put("phase", "Synced")
                .putArray("serviceCIDR")
                .add("10.96.0.0/12");
        var synced = new CoordinatorSettings("c", json);

        assertThat(waiting.ready()).isFalse();
        assertThat(synced.ready()).isTrue();
        assertThat(synced.answer("").utf8())
                .contains("\"serviceCIDR\":[\"10.96.0.0/12\"]")
                .doesNotContain("podDefaultRouteNIC");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|spec.podCIDRType: Required value",
                "{'podCIDRType':'some'}|spec.podCIDRType: Unsupported value: \"some\"",
                "{'podCIDRType':'none','mode':'up'}|spec.mode: Unsupported value: \"up\"",
                "{'podCIDRType':'none','hijackCIDR':['10.0.0.0/33']}|spec.hijackCIDR[0]: Invalid value:"
                        + " \"10.0.0.0/33\": it is neither an IP address nor a CIDR",
                "{'podCIDRType':'none','policyRoutes':[{'dst':'10.0.0.0/8','gw':'fd00::1'}]}|spec.policyRoutes[0]:"
                        + " Invalid value: \"fd00::1\": dst and gw must use the same IP family",
                "{'podCIDRType':'none','policyRoutes':[{'dst':'x','gw':'y'}]}|spec.policyRoutes[0].gw: Invalid value:"
                        + " \"y\": it is not an IP address",
                "{'podCIDRType':'none','podMACPrefix':'0a'}|spec.podMACPrefix: Invalid value: \"0a\": not a valid MAC"
                        + " prefix",
                "{'podCIDRType':'none','podMACPrefix':'0b:00'}|not a unicast MAC: the lowest bit of the first byte"
                        + " must be 0",
                "{'podCIDRType':'none','podRPFilter':3}|spec.podRPFilter: Unsupported value: 3",
                "{'podCIDRType':'none','txQueueLen':-1}|spec.txQueueLen: Invalid value: \"-1\"",
                "{'podCIDRType':'none','vethMTU':0}|spec.vethMTU: Invalid value: \"0\"",
                "{'podCIDRType':'none','vethLinkAddress':'a'}|spec.vethLinkAddress: Invalid value: \"a\": it is not an"
                        + " IP address",
                "{'podCIDRType':'none','tunePodRoutes':'yes'}|its tunePodRoutes is not true or false",
            })
    void impossibleCoordinatorIsRefused(String spec, String words) {
        assertThat(refusal(SpiderKinds.COORDINATOR, "{\"name\":\"c\"}", spec.replace("'", "\"")))
                .contains(words);
        assertThat(store.listAll(SpiderKeys.COORDINATORS).documents()).isEmpty();
    }
}
