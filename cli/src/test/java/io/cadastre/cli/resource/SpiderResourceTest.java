package io.cadastre.cli.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Spiderpool's objects on the command line.
final class SpiderResourceTest {

    @TempDir
    private Path home;

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void openShell() {
        shell = Shell.at(home);
    }

    private static String object(String kind, String name, String spec) {
        return "{apiVersion: spiderpool.spidernet.io/v2beta1, kind: %s, metadata: {name: %s}, spec: %s}"
                .formatted(kind, name, spec);
    }

    private Shell.Ended apply(String document) {
        return shell.runPiping(document, "apply", "-f", "-");
    }

    private static final String POOL = object(
            "SpiderIPPool",
            "p4",
            "{subnet: 172.18.40.0/24, ips: [172.18.40.40-172.18.40.44], gateway:" + " 172.18.40.1}");

    /// Stores something as an agent would.
    private void put(String key, String value) {
        try (var store =
                SqliteDatastore.open(SqliteSettings.of(shell.dataDirectory().resolve("store.db")))) {
            var bytes = Bytes.ofUtf8(value);
            var former = store.get(key);
            assertThat(store.commit(
                            List.of(former.<Write>map(document -> new Write.Update(key, bytes, document.revision()))
                                    .orElseGet(() -> new Write.Create(key, bytes)))))
                    .isInstanceOf(Commit.Done.class);
        }
    }

    @Test
    void fieldThatItsKindLacksIsWrongUsageAndNothingIsWritten() {
        var misspelt = apply(object("SpiderIPPool", "p", "{subnet: 10.6.0.0/24, ipz: [10.6.0.9]}"));
        var miscased = apply(object("SpiderReservedIP", "r", "{IPs: [10.6.0.9]}"));

        assertThat(misspelt.exitCode()).isEqualTo(2);
        assertThat(misspelt.err())
                .startsWith("cadastre: -: spiderippool/p: strict decoding error: unknown field"
                        + " \"spec.ipz\"; did you mean spec.ips?\n");
        assertThat(miscased.err()).contains("unknown field \"spec.IPs\"; did you mean spec.ips?");
        assertThat(shell.run("get", "spiderippools").out()).doesNotContain("p ");
    }

    @Test
    void poolIsAppliedShownAndDeleted() {
        var created = apply(POOL);
        var again = apply(POOL);
        var shown = shell.run("get", "spiderippools");
        var wide = shell.run("get", "spiderippool", "p4", "-o", "wide");
        var deleted = shell.run("delete", "spiderippool", "p4");

        assertThat(created.out()).isEqualTo("spiderippool/p4 created\n");
        assertThat(again.out()).isEqualTo("spiderippool/p4 unchanged\n");
        assertThat(shown.out()).isEqualTo("""
            NAME   VERSION   SUBNET           ALLOCATED-IP-COUNT   TOTAL-IP-COUNT   DEFAULT
            p4     4         172.18.40.0/24   0                    5                false
            """);
        assertThat(wide.out()).contains("DISABLE", "NODENAME", "MULTUSNAME", "APP-NAMESPACE");
        assertThat(deleted).isEqualTo(new Shell.Ended(0, "spiderippool/p4 deleted\n", ""));
        assertThat(shell.run("get", "spiderippool", "p4").exitCode()).isEqualTo(3);
    }

    @Test
    void printedResourceCanBeAppliedAgain() {
        apply(POOL);

        var shown = shell.run("get", "spiderippool", "p4", "-o", "yaml");
        var again = shell.runPiping(shown.out(), "apply", "-f", "-");

        assertThat(again.out()).isEqualTo("spiderippool/p4 unchanged\n");
    }

    @Test
    void refusalIsInTheWordsOfSpiderpool() {
        var refused = apply(object("SpiderIPPool", "x1", "{subnet: 10.6.0.5/24}"));

        assertThat(refused)
                .isEqualTo(new Shell.Ended(
                        3,
                        "",
                        "cadastre: spiderippool/x1 is not applied:"
                                + " SpiderIPPool.spiderpool.spidernet.io \"x1\" is invalid:"
                                + " spec.subnet: Invalid value: \"10.6.0.5/24\": unformatted"
                                + " subnet 10.6.0.5/24, please change it to 10.6.0.0/24\n"));
    }

    @Test
    void poolIsCreatedOnce() {
        var first = shell.runPiping(POOL, "create", "-f", "-");
        var again = shell.runPiping(POOL, "create", "-f", "-");

        assertThat(first.out()).isEqualTo("spiderippool/p4 created\n");
        assertThat(again.exitCode()).isEqualTo(3);
        assertThat(again.err()).contains("already exists");
    }

    private static final String SUBNET = object(
            "SpiderSubnet", "s1", "{subnet: 10.20.0.0/16, ips: [10.20.168.101-10.20.168.110], gateway: 10.20.0.1}");

    @Test
    void subnetIsAppliedShownAndDeletedWithItsPools() {
        var created = apply(SUBNET);
        apply(object("SpiderIPPool", "sm", "{subnet: 10.20.0.0/16, ips: [10.20.168.108-10.20.168.110]}"));
        var shown = shell.run("get", "spidersubnets");
        var outside = apply(object("SpiderIPPool", "p", "{subnet: 10.20.0.0/16, ips: [10.20.168.111]}"));
        var again = shell.runPiping(SUBNET, "create", "-f", "-");
        var deleted = shell.run("delete", "ss", "s1");

        assertThat(created.out()).isEqualTo("spidersubnet/s1 created\n");
        assertThat(shown.out()).isEqualTo("""
            NAME   VERSION   SUBNET         ALLOCATED-IP-COUNT   TOTAL-IP-COUNT
            s1     4         10.20.0.0/16   3                    10
            """);
        assertThat(outside.err())
                .contains("add some IP ranges [10.20.168.111] that are not contained in controller Subnet s1");
        assertThat(again.err()).contains("already exists");
        assertThat(deleted.out()).startsWith("spidersubnet/s1 is being deleted");
        assertThat(shell.run("get", "spidersubnets").out()).doesNotContain("s1");
        assertThat(shell.run("get", "spiderippools").out()).doesNotContain("sm");
    }

    @Test
    void subnetNotesWhatADeletedPoolGivesBack() {
        apply(SUBNET);
        apply(object("SpiderIPPool", "sm", "{subnet: 10.20.0.0/16, ips: [10.20.168.108-10.20.168.110]}"));

        shell.run("delete", "spiderippool", "sm");

        assertThat(shell.run("get", "spidersubnet", "s1", "-o", "yaml").out())
                .contains("allocatedIPCount: 0")
                .doesNotContain("controlledIPPools");
    }

    @Test
    void subnetDoesNotShareARangeWithAnotherDialect() {
        apply("{apiVersion: projectcalico.org/v3, kind: IPPool, metadata: {name: c}, spec: {cidr: 10.20.168.0/24}}");

        assertThat(apply(SUBNET).err()).contains("SpiderSubnet(s1) overlaps with IPPool(c)");
    }

    @Test
    void poolInUseIsNotGoneAtOnce() {
        apply(POOL);
        put(SpiderKeys.pool("p4"), """
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderIPPool","metadata":{"name":"p4"},
             "spec":{"subnet":"172.18.40.0/24","ips":["172.18.40.40-172.18.40.44"]},
             "status":{"allocatedIPCount":1,"allocatedIPs":"{\\"172.18.40.40\\":{\\"pod\\":\\"ns1/a\\",\\"podUid\\":\\"u\\"}}"}}
            """);

        var deleted = shell.run("delete", "spiderippool", "p4");

        assertThat(deleted.out())
                .isEqualTo("spiderippool/p4 is being deleted: it assigns no more addresses and is"
                        + " removed with the last of its addresses in use, now 1\n");
        assertThat(shell.run("get", "spiderippool", "p4", "-o", "yaml").out()).contains("deletionTimestamp");
    }

    @Test
    void reservedAddressesAreAppliedShownAndDeleted() {
        var created = apply(object("SpiderReservedIP", "r1", "{ips: [172.18.40.43, 172.18.40.44]}"));
        var shown = shell.run("get", "spiderreservedips");
        var deleted = shell.run("delete", "spiderreservedip", "r1");

        assertThat(created.out()).isEqualTo("spiderreservedip/r1 created\n");
        assertThat(shown.out()).isEqualTo("NAME   VERSION\nr1     4\n");
        assertThat(deleted.out()).isEqualTo("spiderreservedip/r1 deleted\n");
    }

    @Test
    void endpointsAreShownAndNothingElse() {
        apply(POOL);
        put(SpiderKeys.ENDPOINTS + "ns1/a", """
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderEndpoint",
             "metadata":{"name":"a","namespace":"ns1"},
             "status":{"current":{"uid":"u","node":"n1","ips":[
              {"interface":"eth0","ipv4":"172.18.40.40/24","ipv4Pool":"p4","vlan":0}]},
              "ownerControllerType":"Pod","ownerControllerName":"a"}}
            """);

        var shown = shell.run("get", "spiderendpoints");
        var one = shell.run("get", "spiderendpoint", "ns1/a", "-o", "name");
        var deleted = shell.run("delete", "spiderendpoint", "a");
        var applied = apply(object("SpiderEndpoint", "a", "{}"));

        assertThat(shown.out()).isEqualTo("""
            NAME    INTERFACE   IPV4POOL   IPV4              IPV6POOL   IPV6   NODE
            ns1/a   eth0        p4         172.18.40.40/24   -          -      n1
            """);
        assertThat(one.out()).isEqualTo("spiderendpoint/ns1/a\n");
        assertThat(deleted.exitCode()).isEqualTo(2);
        assertThat(deleted.err()).contains("managed by the allocator");
        assertThat(applied.exitCode()).isEqualTo(2);
    }

    @Test
    void documentOfAnotherVersionIsRefused() {
        var refused =
                apply("{apiVersion: projectcalico.org/v3, kind: SpiderIPPool, metadata: {name:" + " p}, spec: {}}");

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("spiderpool.spidernet.io/v2beta1");
    }

    @Test
    void networkOfMultusIsAppliedShownAndDeletedByNamespaceAndName() {
        var network = "{apiVersion: spiderpool.spidernet.io/v2beta1, kind: SpiderMultusConfig,"
                + " metadata: {name: net, namespace: shop}, spec: {cniType: macvlan, macvlan: {%s: [eth0]}}}";

        var misspelt = apply(network.formatted("masters"));
        var created = apply(network.formatted("master"));
        var again = apply(network.formatted("master"));
        var shown = shell.run("get", "smc");
        var unnamed = shell.run("delete", "smc", "net");
        var deleted = shell.run("delete", "smc", "shop/net");

        assertThat(misspelt.exitCode()).isEqualTo(2);
        assertThat(misspelt.err())
                .contains("unknown field \"spec.macvlan.masters\"; did you mean spec.macvlan.master?");
        assertThat(created.out()).isEqualTo("spidermultusconfig/net created\n");
        assertThat(again.out()).isEqualTo("spidermultusconfig/net unchanged\n");
        assertThat(shown.out()).containsPattern("NAME +CNI-TYPE\nshop/net +macvlan");
        assertThat(unnamed.exitCode()).isEqualTo(2);
        assertThat(unnamed.err()).contains("'net' is not a valid name");
        assertThat(deleted.out()).isEqualTo("spidermultusconfig/shop/net deleted\n");
        assertThat(shell.run("get", "smc").out()).doesNotContain("shop/net");
    }

    @Test
    void coordinatorIsAppliedShownAndDeleted() {
        var impossible = apply(object("SpiderCoordinator", "c", "{podCIDRType: some}"));
        var created = apply(object("SpiderCoordinator", "c", "{podCIDRType: none}"));
        var shown = shell.run("get", "scc");
        var deleted = shell.run("delete", "scc", "c");

        assertThat(impossible.exitCode()).isEqualTo(3);
        assertThat(impossible.err()).contains("spec.podCIDRType: Unsupported value: \"some\"");
        assertThat(created.out()).isEqualTo("spidercoordinator/c created\n");
        assertThat(shown.out()).containsPattern("NAME +MODE +PODCIDRTYPE +PHASE\nc +auto +none +-");
        assertThat(deleted.out()).isEqualTo("spidercoordinator/c deleted\n");
    }
}
