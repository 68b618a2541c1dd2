package io.cadastre.cli.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cadastre.cli.Manifest;
import io.cadastre.cli.Shell;
import io.cadastre.cli.session.Session;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `ipam show`, `check` and `release` do with SpiderIPPools.
final class IpamOfPoolsTest {

    private static final String API = "/cadastre/apis/spiderpool.spidernet.io/v2beta1/";

    @TempDir
    private Path home;

    @TempDir
    private Path folder;

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void openShell() {
        shell = Shell.at(home);
    }

    /// Writes what others may have written, behind the back of every law.
    private void stored(String key, String value) {
        try (var store = SqliteDatastore.open(SqliteSettings.of(Session.storeIn(shell.dataDirectory())))) {
            var old = store.get(key);
            store.commit(List.of(
                    old.isEmpty()
                            ? new Write.Create(key, Bytes.ofUtf8(value))
                            : new Write.Update(
                                    key, Bytes.ofUtf8(value), old.get().revision())));
        }
    }

    /// @param records the value of `allocatedIPs`, with single quotes
    private void pool(String name, int third, String records, int count) {
        stored(API + "spiderippools/" + name, """
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderIPPool","metadata":{"name":"%s"},\
            "spec":{"subnet":"10.6.%d.0/24","ips":["10.6.%d.1-10.6.%d.10"],"excludeIPs":["10.6.%d.10"]},\
            "status":{"allocatedIPCount":%d,"allocatedIPs":"%s","totalIPCount":9}}\
            """.formatted(
                        name, third, third, third, third, count, records.replace("'", "\\\"")));
    }

    private void pod(String name, String uid) {
        stored("/cadastre/api/v1/pods/ns1/" + name, """
            {"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"ns1","name":"%s","uid":"%s"},\
            "status":{"phase":"Running","podIP":"10.6.0.1","podIPs":[{"ip":"10.6.0.1"}]}}\
            """.formatted(name, uid));
    }

    private void endpoint(String pod, String uid, String address, String pool) {
        endpoint(pod, uid, address, pool, "Deployment");
    }

    private void endpoint(String pod, String uid, String address, String pool, String owner) {
        stored(API + "spiderendpoints/ns1/" + pod, """
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderEndpoint",\
            "metadata":{"name":"%s","namespace":"ns1"},"status":{"current":{"uid":"%s","node":"n1","ips":[\
            {"interface":"eth0","ipv4":"%s/24","ipv4Pool":"%s","vlan":0}]},\
            "ownerControllerType":"%s","ownerControllerName":"web"}}\
            """.formatted(pod, uid, address, pool, owner));
    }

    private static String record(String address, String pod, String uid) {
        return "'%s':{'pod':'%s','podUid':'%s'}".formatted(address, pod, uid);
    }

    @Test
    void poolsAreShownBelowCalicosOnlyIfThereAreAny() throws IOException {
        Manifest.apply(shell, folder, Manifest.pool("a", "{cidr: 10.9.0.0/26, blockSize: 30}"));
        var calico = shell.run("ipam", "show");
        var json = shell.run("ipam", "show", "-o", "json");

        pool("p", 0, "{" + record("10.6.0.1", "ns1/a", "u1") + "}", 1);
        stored(API + "spiderreservedips/r", """
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderReservedIP","metadata":{"name":"r"},\
            "spec":{"ips":["10.6.0.2-10.6.0.3"]}}\
            """);
        var both = shell.run("ipam", "show");
        var bothJson = new ObjectMapper()
                .readTree(shell.run("ipam", "show", "-o", "json").out());

        assertThat(both.out()).isEqualTo(calico.out() + """
            +--------------+-------------+-----------+------------+----------+
            | SPIDERIPPOOL | SUBNET      | IPS TOTAL | IPS IN USE | IPS FREE |
            +--------------+-------------+-----------+------------+----------+
            | p            | 10.6.0.0/24 |         9 |    1 (11%) |  6 (67%) |
            +--------------+-------------+-----------+------------+----------+
            """);
        assertThat(json.out()).doesNotContain("spider");
        assertThat(bothJson.path("spiderIPPools").path(0).path("free").asInt()).isEqualTo(6);
        assertThat(shell.run("ipam", "show", "-o", "name").out()).isEqualTo("ippool/a\nspiderippool/p\n");
    }

    @Test
    void addressOfAPoolIsShownWithItsPod() {
        pool("p", 0, "{" + record("10.6.0.1", "ns1/a", "u1") + "}", 1);

        assertThat(shell.run("ipam", "show", "--ip", "10.6.0.1").out()).isEqualTo("""
            IP 10.6.0.1 is in use
            SpiderIPPool: p
            Pod: ns1/a with UID u1
            """);
        assertThat(shell.run("ipam", "show", "--ip", "10.6.0.2").out()).isEqualTo("10.6.0.2 is not assigned\n");
    }

    @Test
    void checkFindsLeakedRecordsEndpointsWithoutRecordsAndWrongCounts() throws IOException {
        Manifest.apply(shell, folder, Manifest.pool("a", "{cidr: 10.9.0.0/26, blockSize: 30}"));
        var calico = shell.run("ipam", "check").out();
        pool(
                "p",
                0,
                "{%s,%s,%s}"
                        .formatted(
                                record("10.6.0.1", "ns1/a", "u1"),
                                record("10.6.0.2", "ns1/a", "u0"),
                                record("10.6.0.3", "ns1/gone", "u3")),
                7);
        pod("a", "u1");
        endpoint("a", "u1", "10.6.0.1", "p");
        endpoint("b", "u2", "10.6.0.5", "p");
        endpoint("c", "u2", "10.6.0.1", "p");
        endpoint("d", "u2", "10.6.0.1", "q");

        var check = shell.run("ipam", "check", "--show-problem-ips");
        var brief = shell.run("ipam", "check");

        assertThat(check.exitCode()).isZero();
        assertThat(check.out()).isEqualTo(calico + """

            Checking SpiderIPPools...
            Found 1 SpiderIPPools with 3 records.
              10.6.0.2 of p is recorded for pod ns1/a with UID u0, which has UID u1
              10.6.0.3 of p is recorded for pod ns1/gone, which does not exist
            Found 2 records of pods that do not exist or have another UID.
              the endpoint of pod ns1/b has 10.6.0.5, which p does not record
              the endpoint of pod ns1/c has 10.6.0.1, which p records for pod ns1/a
              the endpoint of pod ns1/d has 10.6.0.1, which is of the pool q that does not exist
            Found 3 addresses of endpoints without a record.
              p has allocatedIPCount 7, and it is 3
            Found 1 wrong counts of SpiderIPPools.
            Check of SpiderIPPools complete; found 6 problems.
            """);
        assertThat(brief.out())
                .doesNotContain("10.6.0.2")
                .endsWith("Check of SpiderIPPools complete; found 6 problems.\n");
    }

    /// The first is of a virtual machine, the second of a StatefulSet's pod that is created again.
    @Test
    void checkReportsNoRecordThatAPodUsesOrWillInherit() throws IOException {
        pool(
                "p",
                0,
                "{%s,%s,%s}"
                        .formatted(
                                record("10.6.0.1", "ns1/vm1", "u1"),
                                record("10.6.0.2", "ns1/s-0", "u2"),
                                record("10.6.0.3", "ns1/gone", "u3")),
                3);
        pod("virt-launcher-vm1-a", "u1");
        stored("/cadastre/apis/apps/v1/statefulsets/ns1/s", """
            {"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"namespace":"ns1","name":"s"},"spec":{"replicas":1}}\
            """);
        endpoint("s-0", "u2", "10.6.0.2", "p", "StatefulSet");

        var check = shell.run("ipam", "check", "--show-problem-ips");

        assertThat(check.out())
                .contains("10.6.0.3 of p is recorded for pod ns1/gone, which does not exist")
                .doesNotContain("vm1", "s-0")
                .contains("Found 1 records of pods that do not exist or have another UID.");
    }

    @Test
    void recordsAreNotComparedWithPodsThatNoStoreHas() {
        pool("p", 0, "{" + record("10.6.0.1", "ns1/a", "u1") + "}", 1);

        assertThat(shell.run("ipam", "check").out())
                .contains("The store has no Pod, so records are not compared with pods.\n")
                .endsWith("Check of SpiderIPPools complete; found 0 problems.\n");
    }

    @Test
    void leakedRecordIsReleased() {
        pool("p", 0, "{%s,%s}".formatted(record("10.6.0.1", "ns1/a", "u1"), record("10.6.0.3", "ns1/gone", "u3")), 2);
        pod("a", "u1");

        var release = shell.run("ipam", "release", "--ip", "10.6.0.3");
        var again = shell.run("ipam", "release", "--ip", "10.6.0.3");

        assertThat(release.exitCode()).isZero();
        assertThat(release.out()).isEqualTo("Successfully released IP address 10.6.0.3\n");
        assertThat(again.exitCode()).isEqualTo(3);
        assertThat(again.err()).contains("IP address 10.6.0.3 is not assigned");
        assertThat(shell.run("ipam", "check").out()).contains("Found 1 SpiderIPPools with 1 records.\n");
        assertThat(shell.run("ledger", "verify").exitCode()).isZero();
    }

    @Test
    void addressOfALivePodIsReleasedByForceOnly() {
        pool("p", 0, "{" + record("10.6.0.1", "ns1/a", "u1") + "}", 1);
        pod("a", "u1");
        endpoint("a", "u1", "10.6.0.1", "p");

        var refused = shell.run("ipam", "release", "--ip", "10.6.0.1");
        var forced = shell.run("ipam", "release", "--ip", "10.6.0.1", "--force");

        assertThat(refused.exitCode()).isEqualTo(3);
        assertThat(refused.err())
                .isEqualTo(
                        "cadastre: SpiderIPPool p records 10.6.0.1 for pod ns1/a: the pod is alive. Make sure that no"
                                + " pod uses the address, then re-run with --force\n");
        assertThat(forced.exitCode()).isZero();
        assertThat(forced.out()).isEqualTo("Successfully released IP address 10.6.0.1\n");
        assertThat(shell.run("get", "spiderendpoints", "-o", "yaml").out()).doesNotContain("10.6.0.1");
        assertThat(shell.run("ipam", "show", "--ip", "10.6.0.1").out()).isEqualTo("10.6.0.1 is not assigned\n");
    }
}
