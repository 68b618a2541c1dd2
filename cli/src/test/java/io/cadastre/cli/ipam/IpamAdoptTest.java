package io.cadastre.cli.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.cli.Shell;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.NicPlace;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.spiderpool.objects.SpiderBook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A store that was put back from a backup is adopted with the holders that it does not know.
final class IpamAdoptTest {

    private static final String POOL = """
        {"apiVersion": "projectcalico.org/v3", "kind": "IPPool", "metadata": {"name": "p"},
         "spec": {"cidr": "10.9.0.0/26"}}
        """;

    private static final String NODE = """
        {"apiVersion": "projectcalico.org/v3", "kind": "Node", "metadata": {"name": "n1"}}
        """;

    @TempDir
    private Path home;

    private Shell shell;
    private Path newest;

    /// The store knows h1; h2 came after the backup.
    @BeforeEach
    void putAnOlderStoreBack() throws IOException {
        shell = Shell.at(home);
        newest = home.resolve("newest.db");
        shell.runPiping(POOL, "apply", "-f", "-");
        shell.runPiping(NODE, "apply", "-f", "-");
        shell.run("ipam", "assign", "--node", "n1", "--handle", "h1");
        var store = shell.dataDirectory().resolve("store.db");
        var backup = Files.readAllBytes(store);
        shell.run("ipam", "assign", "--node", "n1", "--handle", "h2");
        Files.move(store, newest);
        Files.write(store, backup);
    }

    @Test
    void storeIsRefusedAndNamesTheCommand() {
        var ended = shell.run("ipam", "assign", "--node", "n1", "--handle", "h3");

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains("was promised", "cadastre ipam adopt");
    }

    @Test
    void onlyTheHoldersOfTheNewerLedgerGetTheirAddresses() {
        var adopted = adopt("--ledger", newest.toString());
        var shown = shell.run("ipam", "show", "--ip=10.9.0.1");
        var next = shell.run("ipam", "assign", "--node", "n1", "--handle", "h3");

        assertThat(adopted.err()).isEmpty();
        assertThat(adopted.exitCode()).isZero();
        assertThat(adopted.out()).contains("1 addresses were given to their holders");
        assertThat(shown.out()).contains("Handle ID: h2");
        assertThat(next.out()).isEqualTo("10.9.0.2\n");
    }

    @Test
    void dryRunShowsTheSameAndChangesNothing() throws IOException {
        var store = shell.dataDirectory().resolve("store.db");
        var before = Files.readAllBytes(store);

        var shown = adopt("--dry-run", "--ledger", newest.toString());
        var ended = shell.run("ipam", "assign", "--node", "n1", "--handle", "h3");

        assertThat(shown.out()).contains("10.9.0.1 is held by 'h2' on n1", "1 addresses would be given");
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(store).hasBinaryContent(before);
    }

    @Test
    void storeIsNotAcceptedWhileNoLedgerHasTheEntriesThatWerePromised() throws IOException {
        var older = home.resolve("older.db");
        Files.copy(shell.dataDirectory().resolve("store.db"), older);

        var rehearsed = adopt("--dry-run");
        var ended = adopt("--ledger", older.toString());
        var next = shell.run("ipam", "assign", "--node", "n1", "--handle", "h3");
        var accepted = adopt("--accept-missing");

        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.err())
                .contains("the store is not accepted: ledger entry 4 is in none")
                .contains("--ledger", "--cni-cache-dir", "KUBECONFIG", "--accept-missing");
        assertThat(rehearsed).isEqualTo(new Shell.Ended(3, rehearsed.out(), ended.err()));
        assertThat(next.exitCode()).isEqualTo(1);
        assertThat(accepted.exitCode()).isZero();
        assertThat(shell.run("ipam", "assign", "--node", "n1").exitCode()).isZero();
    }

    @Test
    void interruptedAdoptionThatGaveSomethingDoesNotPassForTheMissingEntries() throws IOException {
        cache("10.9.0.1/32", "/proc/self/ns/net");

        var first = adopt("--cni-cache-dir", home.resolve("results").toString());
        var again = adopt();

        assertThat(first.exitCode()).isEqualTo(3);
        assertThat(first.out()).contains("1 addresses were given");
        assertThat(again.exitCode()).isEqualTo(3);
        assertThat(again.err()).contains("ledger entry 4 is another one");
        assertThat(adopt("--accept-missing").exitCode()).isZero();
    }

    @Test
    void containersOfTheCacheGetTheirAddresses() throws IOException {
        cache("10.9.0.1/32", "/proc/self/ns/net");

        var adopted = adopt(
                "--accept-missing", "--cni-cache-dir", home.resolve("results").toString());
        var shown = shell.run("ipam", "show", "--ip=10.9.0.1");

        assertThat(adopted.exitCode()).isZero();
        assertThat(shown.out()).contains("Handle ID: net.c2");
    }

    @Test
    void containerWhoseNamespaceIsGoneHoldsNothing() throws IOException {
        cache("10.9.0.1/32", home.resolve("gone").toString());

        var adopted = adopt(
                "--accept-missing", "--cni-cache-dir", home.resolve("results").toString());

        assertThat(adopted.out()).isEqualTo("0 addresses were given to their holders\n");
    }

    @Test
    void resultsOfOtherNetworksAndBrokenFilesOfTheCacheAreNamedAndSkipped() throws IOException {
        cache("10.88.0.5/16", "/proc/self/ns/net");
        Files.writeString(home.resolve("results/broken"), "{");
        Files.writeString(home.resolve("results/odd"), "{\"result\": {\"ips\": [{\"address\": \"ten\"}]}}");

        var adopted = adopt(
                "--ledger",
                newest.toString(),
                "--cni-cache-dir",
                home.resolve("results").toString());

        assertThat(adopted.exitCode()).isZero();
        assertThat(adopted.out()).contains("1 addresses were given");
        assertThat(adopted.err().lines())
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).contains("results/broken is not a cached"),
                        line -> assertThat(line).contains("results/odd is not a cached"),
                        line -> assertThat(line).contains("1 addresses in", "10.88.0.5"));
    }

    @Test
    void addressWithTwoHoldersIsNamedAndTheRestIsGiven() throws IOException {
        cache("10.9.0.0/32", "/proc/self/ns/net");

        var ended = adopt(
                "--ledger",
                newest.toString(),
                "--cni-cache-dir",
                home.resolve("results").toString());
        var kept = shell.run("ipam", "show", "--ip=10.9.0.0");
        var later = shell.run("ipam", "assign", "--node", "n1", "--handle", "h3");

        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.out()).contains("1 addresses were given");
        assertThat(ended.err())
                .contains("10.9.0.0 is held by 'h1'", "net.c2", "1 claims contradict the recorded holders");
        assertThat(kept.out()).contains("Handle ID: h1");
        assertThat(later.out()).isEqualTo("10.9.0.2\n");
    }

    @Test
    void ofTwoThatClaimAFreeAddressTheLedgerIsBelievedAndTheOtherIsNamed() throws IOException {
        cache("10.9.0.1/32", "/proc/self/ns/net");

        var ended = adopt(
                "--ledger",
                newest.toString(),
                "--cni-cache-dir",
                home.resolve("results").toString());
        var shown = shell.run("ipam", "show", "--ip=10.9.0.1");

        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.err()).contains("10.9.0.1 is held by 'h2'", "says 'net.c2'");
        assertThat(shown.out()).contains("Handle ID: h2");
    }

    @Test
    void adoptingTwiceIsAdoptingOnce() {
        adopt("--ledger", newest.toString());

        var again = adopt("--ledger", newest.toString());

        assertThat(again.err()).isEmpty();
        assertThat(again.out()).isEqualTo("0 addresses were given to their holders\n");
        assertThat(again.exitCode()).isZero();
        assertThat(shell.run("ipam", "check").exitCode()).isZero();
    }

    @Test
    void storeThatIsGoneIsMadeAnewWithItsPoolsAndHolders() throws IOException {
        Files.delete(shell.dataDirectory().resolve("store.db"));
        var manifests = home.resolve("pools.yaml");
        Files.writeString(manifests, POOL + "---\n" + NODE);

        var withoutPools = adopt("--ledger", newest.toString());
        var refused = shell.run("ipam", "assign", "--node", "n1", "--handle", "h3");
        var shown = adopt("--dry-run", "-f", manifests.toString(), "--ledger", newest.toString());
        var adopted = adopt("-f", manifests.toString(), "--ledger", newest.toString());
        var next = shell.run("ipam", "assign", "--node", "n1", "--handle", "h3");

        assertThat(withoutPools.exitCode()).isEqualTo(3);
        assertThat(withoutPools.err())
                .contains("10.9.0.0 cannot be assigned to 'h1'", "the store is not accepted", "-f");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(shown.out()).contains("2 addresses would be given");
        assertThat(adopted.err()).isEmpty();
        assertThat(adopted.out()).contains("2 addresses were given");
        assertThat(next.out()).isEqualTo("10.9.0.2\n");
    }

    @Test
    void nodesGetTheirCidrsBack() throws IOException {
        var store = shell.dataDirectory().resolve("store.db");
        Files.copy(newest, store, StandardCopyOption.REPLACE_EXISTING);
        var cluster = "--cluster-cidr=10.10.0.0/16";
        shell.run("node-cidr", "add", "n1", cluster, "--service-cluster-ip-range=10.10.0.0/24");
        var backup = Files.readAllBytes(store);
        shell.run("node-cidr", "add", "n2", cluster, "--service-cluster-ip-range=10.10.0.0/24");
        Files.move(store, newest, StandardCopyOption.REPLACE_EXISTING);
        Files.write(store, backup);

        var adopted = adopt("--ledger", newest.toString());
        var next = shell.run("node-cidr", "add", "n3", cluster, "--service-cluster-ip-range=10.10.0.0/24");

        assertThat(adopted.err()).isEmpty();
        assertThat(adopted.out()).contains("10.10.2.0/24 is held by 'node/n2'", "0 addresses and 1 node CIDRs were");
        assertThat(next.out()).isEqualTo("10.10.3.0/24\n");
        assertThat(shell.run("ipam", "check").err()).isEmpty();
    }

    @Test
    void podsGetTheirAddressesOfSpiderpoolBack() throws IOException {
        putASpiderpoolStoreBack();

        var adopted = adopt("--ledger", newest.toString());
        var again = adopt("--ledger", newest.toString());

        assertThat(adopted.err()).isEmpty();
        assertThat(adopted.out()).contains("10.11.0.10 is held by 'pod/default/web-0/u1'");
        assertThat(again.out()).isEqualTo("0 addresses were given to their holders\n");
        assertThat(shell.run("get", "spiderippools", "s", "-o", "yaml").out()).contains("10.11.0.10", "default/web-0");
        assertThat(shell.run("get", "spiderendpoints", "-o", "yaml").out()).contains("10.11.0.10/24");
    }

    @Test
    void cachedResultOfSpiderpoolIsThatOfItsPod() throws IOException {
        putASpiderpoolStoreBack();
        cacheOfPod("c2", "web-0", "u1", "10.11.0.10/24");
        cacheOfPod("c3", "web-1", "u2", "10.11.0.11/24");

        var adopted = adopt(
                "--ledger",
                newest.toString(),
                "--cni-cache-dir",
                home.resolve("results").toString());

        assertThat(adopted.err()).isEmpty();
        assertThat(adopted.exitCode()).isZero();
        assertThat(adopted.out())
                .contains("10.11.0.10 is held by 'pod/default/web-0/u1' on n1, according to " + newest)
                .contains("10.11.0.11 is held by 'pod/default/web-1/u2' on n1")
                .contains("2 addresses were given");
        assertThat(shell.run("get", "spiderendpoints", "-o", "yaml").out()).contains("web-1", "10.11.0.11/24");
    }

    /// The pod came after the backup.
    private void putASpiderpoolStoreBack() throws IOException {
        var pool = """
            {"apiVersion": "spiderpool.spidernet.io/v2beta1", "kind": "SpiderIPPool",
             "metadata": {"name": "s"},
             "spec": {"subnet": "10.11.0.0/24", "ips": ["10.11.0.10-10.11.0.19"]}}
            """;
        var store = shell.dataDirectory().resolve("store.db");
        Files.copy(newest, store, StandardCopyOption.REPLACE_EXISTING);
        shell.runPiping(pool, "apply", "-f", "-");
        var backup = Files.readAllBytes(store);
        giveOfPool("10.11.0.10");
        Files.move(store, newest, StandardCopyOption.REPLACE_EXISTING);
        Files.write(store, backup);
    }

    private void cacheOfPod(String container, String pod, String uid, String address) throws IOException {
        Files.createDirectories(home.resolve("results"));
        Files.writeString(
                home.resolve("results/net-%s-eth0".formatted(container)), """
                    {"kind": "cniCacheV1", "containerId": "%s", "ifName": "eth0", "networkName": "net",
                     "cniArgs": [["IgnoreUnknown", "1"], ["K8S_POD_NAMESPACE", "default"],
                                 ["K8S_POD_NAME", "%s"], ["K8S_POD_UID", "%s"]],
                     "netns": "/proc/self/ns/net",
                     "result": {"cniVersion": "1.0.0", "ips": [{"address": "%s"}]}}
                    """.formatted(container, pod, uid, address));
    }

    /// As an agent does for a pod.
    private void giveOfPool(String address) {
        var settings = SqliteSettings.of(shell.dataDirectory().resolve("store.db"));
        InstantSource clock = () -> Shell.NOON;
        try (var datastore = SqliteDatastore.open(settings)) {
            var record = new PoolRecord("default/web-0", "u1");
            new Registrar<>(
                            new SpiderBook(datastore, clock),
                            new Ledger(datastore.journal().orElseThrow()),
                            Registrar.Limits.DEFAULT,
                            clock,
                            new SplittableRandom(1),
                            _ -> {})
                    .enact(new Request<PoolView, PoolChange, String>(
                            "give",
                            view -> new Decision<>(
                                    "given",
                                    List.of(new PoolChange.Take(
                                            view.findPool("s").orElseThrow().name(),
                                            Address.parse(address),
                                            record,
                                            NicPlace.UNKNOWN)),
                                    List.of())));
        }
    }

    private Shell.Ended adopt(String... arguments) {
        var all = new ArrayList<>(List.of("ipam", "adopt", "--node", "n1"));
        all.addAll(List.of(arguments));
        if (!all.contains("--cni-cache-dir")) {
            all.add("--cni-cache-dir");
            all.add(home.resolve("none").toString());
        }
        return shell.run(all.toArray(String[]::new));
    }

    private void cache(String address, String namespace) throws IOException {
        Files.createDirectories(home.resolve("results"));
        Files.writeString(home.resolve("results/net-c2-eth0"), """
            {"kind": "cniCacheV1", "containerId": "c2", "ifName": "eth0", "networkName": "net",
             "netns": "%s", "result": {"cniVersion": "1.0.0", "ips": [{"address": "%s"}]}}
            """.formatted(namespace, address));
    }
}
