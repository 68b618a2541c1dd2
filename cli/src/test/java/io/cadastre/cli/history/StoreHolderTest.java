package io.cadastre.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cadastre.cli.Manifest;
import io.cadastre.cli.Shell;
import io.cadastre.cli.session.Session;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The holder of an address now: by the store, with what the ledger knows of it.
final class StoreHolderTest {

    private static final String BLOCK = "/calico/ipam/v2/assignment/ipv4/block/10.1.0.0-26";

    @TempDir
    private Path home;

    @TempDir
    private Path folder;

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void openShell() {
        shell = Shell.at(home);
    }

    /// Pool p with node n1, which holds a block and in it 10.1.0.5 by handle h.
    private void assign() throws IOException {
        assertThat(Manifest.apply(shell, folder, Manifest.node("n1"), Manifest.pool("p", "{cidr: 10.1.0.0/16}"))
                        .exitCode())
                .isZero();
        assertThat(shell.run("ipam", "assign", "--node", "n1", "--ip", "10.1.0.5", "--handle", "h")
                        .exitCode())
                .isZero();
    }

    private static SqliteDatastore storeOf(Shell shell) {
        return SqliteDatastore.open(SqliteSettings.of(Session.storeIn(shell.dataDirectory())));
    }

    /// A store with the same documents and an empty ledger, as if another product had written them.
    private Shell copied() throws IOException {
        var copy = Shell.at(Files.createDirectory(folder.resolve("copy")));
        try (var from = storeOf(shell);
                var to = storeOf(copy)) {
            for (var document : from.listAll("/").documents()) {
                to.commit(List.of(new Write.Create(document.key(), document.value())));
            }
        }
        return copy;
    }

    private void store(String key, String value) {
        try (var store = storeOf(shell)) {
            store.commit(List.of(new Write.Create(key, Bytes.ofUtf8(value))));
        }
    }

    /// A pool of Spiderpool with one address, which a pod holds.
    private void storeSpiderPool(String address) {
        store(SpiderKeys.pool("s"), """
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderIPPool","metadata":{"name":"s"},\
            "spec":{"ipVersion":4,"subnet":"10.1.0.0/24","ips":["%1$s"]},\
            "status":{"allocatedIPs":"{\\"%1$s\\":{\\"pod\\":\\"shop/web-0\\",\\"podUid\\":\\"u1\\"}}"}}\
            """.formatted(address));
    }

    private void storeNode(String name, String cidr) {
        store(
                "/cadastre/api/v1/nodes/" + name,
                "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"%s\"},\"spec\":{\"podCIDR\":\"%s\"}}"
                        .formatted(name, cidr));
    }

    private static List<JsonNode> rows(Shell.Ended ended) throws IOException {
        var json = new ObjectMapper().readTree(ended.out());
        return json.path("items").isMissingNode()
                ? List.of(json)
                : StreamSupport.stream(json.path("items").spliterator(), false).toList();
    }

    private static List<String> holders(Shell.Ended ended) throws IOException {
        return rows(ended).stream()
                .map(row -> row.path("holding").path("holder").asText() + " by "
                        + row.path("sources").toString())
                .toList();
    }

    @Test
    void holderInTheStoreHasTimeAndReasonFromTheLedger() throws IOException {
        assign();

        var who = shell.run("who", "10.1.0.5", "-o", "json");

        assertThat(holders(who))
                .containsExactly(
                        "pool/p by [\"store\",\"ledger\"]",
                        "host:n1 by [\"store\",\"ledger\"]",
                        "handle/h by [\"store\",\"ledger\"]");
        assertThat(rows(who)).allMatch(row -> row.path("from").asText().equals("2026-01-31T12:00:00Z"));
        assertThat(who.err()).isEmpty();
    }

    @Test
    void holderOfBlocksIsNamedAlthoughTheLedgerHasNoRecord() throws IOException {
        assign();

        var who = copied().run("who", "10.1.0.5", "-o", "json");
        var table = shell.at(Shell.NOON).run("who", "10.1.0.5").out();

        assertThat(who.exitCode()).isZero();
        assertThat(holders(who))
                .containsExactly("IPPool(p) by [\"store\"]", "host:n1 by [\"store\"]", "handle/h by [\"store\"]");
        assertThat(rows(who)).noneMatch(row -> row.has("from") || row.has("why"));
        assertThat(table).doesNotContain("not in the");
    }

    @Test
    void tableMarksWhatOnlyTheStoreRecords() throws IOException {
        assign();

        var who = copied().run("who", "10.1.0.5").out();

        assertThat(who.lines().skip(1))
                .hasSize(3)
                .allMatch(line -> line.startsWith("-      -       ") && line.endsWith("   not in the ledger"));
    }

    @Test
    void holderOfSpiderpoolIsNamedAlthoughTheLedgerHasNoRecord() throws IOException {
        storeSpiderPool("10.1.0.7");

        var who = shell.run("who", "10.1.0.7", "-o", "json");

        assertThat(holders(who)).containsExactly("SpiderIPPool(s) by [\"store\"]", "pod/shop/web-0/u1 by [\"store\"]");
        assertThat(who.exitCode()).isZero();
    }

    @Test
    void nodeThatHoldsACidrIsNamedAlthoughTheLedgerHasNoRecord() throws IOException {
        storeNode("n7", "10.244.7.0/24");

        var who = shell.run("who", "10.244.7.9", "-o", "json");

        assertThat(holders(who)).containsExactly("node/n7 by [\"store\"]");
        assertThat(rows(who).getFirst().path("holding").path("node").asText()).isEqualTo("n7");
    }

    @Test
    void cidrThatKubernetesGivesEveryNodeDoesNotCountBesideABlock() throws IOException {
        assign();
        storeNode("n7", "10.1.0.0/24");

        var who = shell.run("who", "10.1.0.5", "-o", "name");

        assertThat(who.out()).doesNotContain("node/n7");
        assertThat(who.exitCode()).isZero();
    }

    @Test
    void addressOfTwoDialectsIsReportedByWhoAndByTheCheck() throws IOException {
        assign();
        storeSpiderPool("10.1.0.5");

        var who = shell.run("who", "10.1.0.5");
        var check = shell.run("ipam", "check");

        var words = "10.1.0.5-10.1.0.5 of pod/shop/web-0/u1 overlaps 10.1.0.5-10.1.0.5 of handle/h\n";
        assertThat(who.exitCode()).isEqualTo(1);
        assertThat(who.out()).contains("shop/web-0", "h ");
        assertThat(who.err()).contains("cadastre: " + words);
        assertThat(check.exitCode()).isEqualTo(1);
        assertThat(check.err()).contains("cadastre: " + words);
    }

    @Test
    void holderThatOnlyTheLedgerRecordsIsMarked() throws IOException {
        assign();
        try (var store = storeOf(shell)) {
            store.commit(List.of(
                    new Write.Delete(BLOCK, store.get(BLOCK).orElseThrow().revision())));
        }

        var who = shell.run("who", "10.1.0.5", "-o", "wide");

        assertThat(who.out().lines().skip(1))
                .satisfiesExactlyInAnyOrder(
                        pool -> assertThat(pool).contains("pool/p").endsWith("store+ledger"),
                        block ->
                                assertThat(block).contains("not in the store; ").endsWith("   ledger"),
                        address -> assertThat(address)
                                .contains("not in the store; ", "handle/h")
                                .endsWith("   ledger"));
    }

    @Test
    void unreadableDocumentIsReportedAndTheOthersAnswer() throws IOException {
        assign();
        store("/calico/ipam/v2/assignment/ipv4/block/10.1.0.0-27", "{");

        var who = shell.run("who", "10.1.0.5");

        assertThat(who.exitCode()).isZero();
        assertThat(who.err())
                .contains("cadastre: warning: cannot read /calico/ipam/v2/assignment/ipv4/block/10.1.0.0-27");
        assertThat(who.out()).contains("h ");
    }

    @Test
    void recordOfHostLocalIsReadWhereItsFolderIsGiven() throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve("net")).resolve("10.88.0.5"), "c1\r\neth0");

        var who = shell.run("who", "10.88.0.5", "--host-local-dir", folder.toString(), "-o", "json");
        var other = shell.run("who", "10.88.0.6", "--host-local-dir", folder.toString());

        assertThat(holders(who)).containsExactly("container/c1/eth0 by [\"store\"]");
        assertThat(other.out().lines()).hasSize(1);
    }

    @Test
    void missingFolderOfHostLocalIsAnError() {
        var who = shell.run("who", "10.88.0.5", "--host-local-dir", "/no/such/folder");

        assertThat(who.exitCode()).isEqualTo(1);
        assertThat(who.err()).contains("cannot read /no/such/folder");
    }

    @Test
    void ledgerAnswersAloneWhereTheStoreDoesNotAnswer() throws IOException {
        var etcd = shell.with("DATASTORE_TYPE", "etcdv3").with("ETCD_ENDPOINTS", "http://127.0.0.1:1");

        var who = etcd.run("who", "10.1.0.5", "--connect-timeout", "1");
        var then = etcd.run("who", "10.1.0.5", "--at", "0s");

        assertThat(who.exitCode()).isEqualTo(1);
        assertThat(who.err()).contains("; the ledger alone answers\n", "the ledger records no holder of 10.1.0.5");
        assertThat(then.exitCode()).isZero();
    }
}
