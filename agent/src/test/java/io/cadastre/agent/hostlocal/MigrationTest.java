package io.cadastre.agent.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.agent.calico.CalicoIpam;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The way of a node from host-local to Calico's blocks.
class MigrationTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final NodePod WEB = resident("web", "10.0.0.5");
    private static final NodePod DB = resident("db", "10.0.0.6");

    @TempDir
    private Path home;

    private final MemoryDatastore store = new MemoryDatastore();
    private final Ledger ledger = new Ledger(new MemoryJournal());

    /// What the cluster says at each moment at which the migration waits.
    private final List<Boolean> readyWhileWaiting = new ArrayList<>();

    private final List<Duration> waits = new ArrayList<>();

    @BeforeEach
    void furnish() throws IOException {
        put(CalicoKeys.POOLS + "four", """
            {"kind":"IPPool","apiVersion":"projectcalico.org/v3","metadata":{"name":"four"},\
            "spec":{"cidr":"10.0.0.0/24","blockSize":26}}\
            """);
        Files.createDirectories(folder());
        Files.createDirectories(programs());
        for (var program : List.of("calico", "host-local", "portmap")) {
            Files.writeString(programs().resolve(program), "a program");
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static NodePod resident(String pod, String address) {
        return new NodePod("shop", pod, List.of(Address.parse(address)));
    }

    private Path folder() {
        return home.resolve("networks/k8s-pod-network");
    }

    private Path programs() {
        return home.resolve("bin");
    }

    private void put(String key, String json) {
        var value = Bytes.ofUtf8(json);
        var write = store.get(key)
                .<Write>map(former -> new Write.Update(key, value, former.revision()))
                .orElseGet(() -> new Write.Create(key, value));
        assertThat(store.commit(List.of(write))).isInstanceOf(Commit.Done.class);
    }

    private void lease(String name, String content) throws IOException {
        Files.writeString(folder().resolve(name), content);
    }

    private void ready(boolean ready) {
        put(new CalicoKey.OfClusterInformation().text(), """
            {"kind":"ClusterInformation","apiVersion":"projectcalico.org/v3",\
            "metadata":{"name":"default"},"spec":{"clusterGUID":"g","datastoreReady":%s}}\
            """.formatted(ready));
    }

    private String cluster() {
        return store.get(new CalicoKey.OfClusterInformation().text())
                .map(document -> document.value().utf8())
                .orElse("");
    }

    private boolean isReady() {
        return !cluster().contains("\"datastoreReady\":false");
    }

    private Migration migration(String node) {
        var context = new AgentContext(store, ledger, InstantSource.fixed(NOW), new SplittableRandom(1), duration -> {
            waits.add(duration);
            readyWhileWaiting.add(isReady());
        });
        return new Migration(context, node, folder(), programs());
    }

    private Migration.Outcome migrate(NodePod... pods) throws InterruptedException {
        return migration("node-1").migrate(() -> List.of(pods));
    }

    private String blocks() {
        return store.listAll(CalicoKeys.BLOCKS).documents().stream()
                .map(document -> document.value().utf8())
                .toList()
                .toString();
    }

    private List<String> handles() {
        return store.listAll(CalicoKeys.HANDLES).documents().stream()
                .map(document -> document.key().substring(CalicoKeys.HANDLES.length()))
                .toList();
    }

    @Test
    void podWhoseAddIsUnderWayWhenTheFlagGoesUpKeepsItsAddress() throws Exception {
        lease("10.0.0.5", "c1\r\neth0");
        var pods = new ArrayList<>(List.of(WEB));
        var context = new AgentContext(store, ledger, InstantSource.fixed(NOW), new SplittableRandom(1), _ -> {
            leaseLate("10.0.0.6", "c2");
            pods.add(DB);
        });

        var outcome = new Migration(context, "node-1", folder(), programs()).migrate(() -> List.copyOf(pods));

        assertThat(outcome)
                .isEqualTo(new Migration.Outcome.Done(
                        List.of(Address.parse("10.0.0.5"), Address.parse("10.0.0.6")), List.of()));
    }

    private void leaseLate(String name, String content) {
        try {
            lease(name, content);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void addressesOfPodsAreGivenByCalicosLawAndTheirFilesGo() throws Exception {
        lease("10.0.0.5", "c1\r\neth0");
        lease("10.0.0.6", "c2");
        lease("last_reserved_ip.0", "10.0.0.6");
        lease("lock", "");

        var outcome = migrate(WEB, DB);

        assertThat(outcome)
                .isEqualTo(new Migration.Outcome.Done(
                        List.of(Address.parse("10.0.0.5"), Address.parse("10.0.0.6")), List.of()));
        assertThat(handles()).containsExactlyInAnyOrder("k8s-pod-network.c1", "k8s-pod-network.c2");
        assertThat(blocks())
                .contains("\"pod\":\"web\"", "\"namespace\":\"shop\"", "\"node\":\"node-1\"")
                .contains("\"%s\":\"k8s-pod-network/c1/eth0\"".formatted(CalicoIpam.ATTACHMENT));
        assertThat(folder()).doesNotExist();
    }

    @Test
    void addressOfNoPodIsForgotten() throws Exception {
        lease("10.0.0.5", "c1\r\neth0");
        lease("10.0.0.9", "c9\r\neth0");

        var outcome = migrate(WEB);

        assertThat(outcome)
                .isEqualTo(new Migration.Outcome.Done(
                        List.of(Address.parse("10.0.0.5")), List.of(Address.parse("10.0.0.9"))));
        assertThat(handles()).containsExactly("k8s-pod-network.c1");
    }

    @Test
    void whileItLastsTheStoreIsNotReadyAndThePluginsAreGone() throws Exception {
        ready(true);
        lease("10.0.0.5", "c1\r\neth0");

        migrate(WEB);

        assertThat(waits).contains(Duration.ofSeconds(5));
        assertThat(readyWhileWaiting).containsOnly(false);
        assertThat(isReady()).isTrue();
        assertThat(cluster()).contains("\"clusterGUID\":\"g\"").doesNotContain("migrating");
        assertThat(programs().resolve("calico")).doesNotExist();
        assertThat(programs().resolve("host-local")).doesNotExist();
        assertThat(programs().resolve("portmap")).exists();
    }

    @Test
    void storeThatWasNotReadyBeforeStaysSo() throws Exception {
        ready(false);
        lease("10.0.0.5", "c1\r\neth0");

        migrate(WEB);

        assertThat(isReady()).isFalse();
    }

    @Test
    void lastOfSeveralNodesMakesTheStoreReadyAgain() throws Exception {
        new MigrationFlag(context(), "node-2").raise();
        lease("10.0.0.5", "c1\r\neth0");

        migrate(WEB);
        boolean afterFirst = isReady();
        new MigrationFlag(context(), "node-2").lower();

        assertThat(afterFirst).isFalse();
        assertThat(isReady()).isTrue();
    }

    private AgentContext context() {
        return new AgentContext(store, ledger, InstantSource.fixed(NOW), new SplittableRandom(2), _ -> {});
    }

    @Test
    void migrationThatWasKilledGoesOnWhereItStopped() throws Exception {
        lease("10.0.0.5", "c1\r\neth0");
        migrate(WEB);
        new MigrationFlag(context(), "node-1").raise();
        Files.createDirectories(folder());
        lease("10.0.0.5", "c1\r\neth0");

        var outcome = migrate(WEB);

        assertThat(outcome).isEqualTo(new Migration.Outcome.Done(List.of(Address.parse("10.0.0.5")), List.of()));
        assertThat(handles()).containsExactly("k8s-pod-network.c1");
        assertThat(isReady()).isTrue();
    }

    @Test
    void addressInNoPoolKeepsItsFileAndIsReported() throws Exception {
        lease("10.0.0.5", "c1\r\neth0");
        lease("192.0.2.7", "c2\r\neth0");

        var outcome = migrate(WEB, resident("far", "192.0.2.7"));

        assertThat(outcome)
                .isEqualTo(new Migration.Outcome.Unfinished(
                        List.of(Address.parse("10.0.0.5")),
                        List.of("192.0.2.7: The provided IP address is not in a" + " configured pool")));
        assertThat(folder().resolve("192.0.2.7")).exists();
        assertThat(folder().resolve("10.0.0.5")).doesNotExist();
        assertThat(isReady()).isTrue();
    }

    @Test
    void folderThatIsNotThereIsNothingToDo() throws Exception {
        Files.delete(folder());

        assertThat(migrate(WEB)).isEqualTo(new Migration.Outcome.NothingToDo());
        assertThat(programs().resolve("host-local")).exists();
        assertThat(waits).isEmpty();
    }

    @Test
    void emptyFolderIsRemoved() throws Exception {
        assertThat(migrate(WEB)).isEqualTo(new Migration.Outcome.NothingToDo());
        assertThat(folder()).doesNotExist();
    }

    @Test
    void ledgerTellsWhoHasTheAddressNow() throws Exception {
        lease("10.0.0.5", "c1\r\neth0");

        migrate(WEB);

        var entries = ledger.touching(Range.of(Address.parse("10.0.0.5")), 1, 10);
        assertThat(entries)
                .extracting(recorded -> recorded.entry().request())
                .containsExactly("cni upgrade node-1: give 10.0.0.5 to shop/web", "cni upgrade node-1");
        assertThat(entries.getLast().entry().returned())
                .extracting(holding -> holding.holder())
                .containsExactly("container/c1/eth0");
    }
}
