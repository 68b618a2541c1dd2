package io.cadastre.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.cli.Shell;
import io.cadastre.cli.session.Session;
import io.cadastre.datastore.sqlite.SqliteJournal;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.engine.Holding;
import io.cadastre.registry.Fact;
import io.cadastre.registry.Ledger;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// At ten o'clock `a` gets the first CIDR, at eleven `b` the second, at twelve `a` is removed.
final class HistoryTest {

    private static final String CLUSTER = "--cluster-cidr=10.244.0.0/16";

    @TempDir
    private Path home;

    @BeforeEach
    void addAndRemove() {
        at("10:00").run("node-cidr", "add", "a", CLUSTER);
        at("11:00").run("node-cidr", "add", "b", CLUSTER);
        at("12:00").run("node-cidr", "remove", "a");
    }

    @Test
    void entriesAreInTheOrderOfTime() {
        var ended = at("13:00").run("history");

        assertThat(ended.out()).isEqualTo("""
            NUMBER   TIME                   REQUEST            GRANTED         RETURNED
            1        2026-01-31T10:00:00Z   node-cidr add a    10.244.0.0/24   -
            2        2026-01-31T11:00:00Z   node-cidr add b    10.244.1.0/24   -
            3        2026-01-31T12:00:00Z   node-cidr remov…   -               10.244.0.0/24
            """);
    }

    @Test
    void reasonsAreShownWide() {
        var ended = at("13:00").run("history", "-o", "wide");

        assertThat(ended.out()).contains("BECAUSE", "chose 10.244.1.0/24 of 10.244.0.0/16");
    }

    @Test
    void historyOfAnAddressIsWhoHeldItFromWhenToWhenAndWhy() {
        var ended = at("13:00").run("history", "--ip", "10.244.0.77");

        assertThat(ended.out()).isEqualTo("""
            FROM             UNTIL            HOLDER          NODE   WHY
            01-31 10:00:00   01-31 12:00:00   10.244.0.0/24   a      chose 10.244.0.0/24 of…
            """);
        assertThat(ended.exitCode()).isZero();
    }

    @Test
    void decisionsAboutAnAddressAreTheEntriesThatTouchedIt() {
        var ended = at("13:00").run("history", "--ip", "10.244.0.77", "--decisions", "-o", "name");

        assertThat(ended.out()).isEqualTo("entry/1\nentry/3\n");
    }

    @Test
    void historyOfANodeIsWhatItHeld() {
        var ended = at("13:00").run("history", "--node", "b");

        assertThat(ended.out()).isEqualTo("""
            FROM             UNTIL   RANGE           HOLDER          WHY
            01-31 11:00:00   -       10.244.1.0/24   10.244.1.0/24   chose 10.244.1.0/24 of…
            """);
    }

    @Test
    void historyOfANodeHasItsBlocksAndThePodsOnIt() {
        var shell = at("13:00");
        pool(shell);
        shell.run("ipam", "assign", "--node=a", "--handle=h1", "--ip=10.9.0.7");

        var node = shell.run("history", "--node", "a", "--since=1m", "-o", "name");

        assertThat(node.out().lines()).containsExactlyInAnyOrder("10.9.0.0/28 host:a", "10.9.0.7 handle/h1");
    }

    @Test
    void everyLineOfATableFitsIntoATerminal() {
        var shell = at("13:00");
        pool(shell);
        shell.run("ipam", "assign", "--node=a", "--num4=16", "--handle=" + "h".repeat(500));

        for (var words : List.of(
                "history",
                "history --node=a",
                "history --ip=10.9.0.1",
                "history --ip=10.9.0.1 --decisions",
                "who 10.9.0.1")) {
            assertThat(shell.run(words.split(" ", -1)).out().lines())
                    .as(words)
                    .isNotEmpty()
                    .allMatch(line -> line.length() <= 80);
        }
    }

    @Test
    void whoNamesTheHolderNowAndThen() {
        var now = at("13:00").run("who", "10.244.1.9");
        var then = at("13:00").run("who", "10.244.0.77", "--at", "2026-01-31T11:30:00Z");
        var after = at("13:00").run("who", "10.244.0.77", "--at", "2026-01-31T12:30:00Z");

        assertThat(now.out())
                .containsPattern("cluster CIDR 10.244.0.*not in the ledger\n01-31 11:00:00 .* 10.244.1.0/24 +b ");
        assertThat(then.out()).contains("10.244.0.0/24   a ");
        assertThat(after.out()).isEqualTo("FROM   UNTIL   HOLDER   NODE   WHY\n");
    }

    @Test
    void twoHoldersOfOneAddressAreComplainedOf() {
        var shell = at("13:00");
        grantTwice(shell);

        for (var words : List.of("who 10.8.0.1", "history --ip=10.8.0.1", "ledger verify")) {
            var ended = shell.run(words.split(" ", -1));

            assertThat(ended.exitCode()).as(words).isEqualTo(1);
            assertThat(ended.err())
                    .as(words)
                    .contains("pod/x (since 2026-01-31T12:30:00Z, entry 4) and pod/y (since"
                            + " 2026-01-31T12:40:00Z, entry 5) hold 10.8.0.1 at the same"
                            + " time");
        }
    }

    /// As if a store had gone back to before the first grant.
    private static void grantTwice(Shell shell) {
        try (var journal = SqliteJournal.open(SqliteSettings.of(Session.storeIn(shell.dataDirectory())))) {
            new Ledger(journal)
                    .append(List.of(
                            grant("pod/x", "2026-01-31T12:30:00Z", 90), grant("pod/y", "2026-01-31T12:40:00Z", 95)));
        }
    }

    private static Ledger.Entry grant(String holder, String at, long revision) {
        return new Ledger.Entry(
                Instant.parse(at),
                "assign",
                Fact.text("done"),
                1,
                revision,
                List.of(new Holding(
                        Range.of(Address.parse("10.8.0.1")), Holding.Level.ENDPOINT, holder, Holding.State.HELD)),
                List.of(),
                List.of());
    }

    private static void pool(Shell shell) {
        var applied = shell.runPiping("""
            apiVersion: projectcalico.org/v3
            kind: IPPool
            metadata: {name: p}
            spec: {cidr: 10.9.0.0/24, blockSize: 28}
            ---
            apiVersion: projectcalico.org/v3
            kind: Node
            metadata: {name: a}
            """, "apply", "-f", "-");
        assertThat(applied.exitCode()).as(applied.err()).isZero();
    }

    @Test
    void historyOfATimeBeginsWithItsStartAndEndsBeforeItsEnd() {
        var ended = at("13:00")
                .run("history", "--since=2026-01-31T11:00:00Z", "--until=2026-01-31T12:00:00Z", "-o", "name");

        assertThat(ended.out()).isEqualTo("entry/2\n");
    }

    @Test
    void timesMayBeGivenAsAnAge() {
        var ended = at("13:00").run("history", "--since=61m", "-o", "name");

        assertThat(ended.out()).isEqualTo("entry/3\n");
    }

    @Test
    void subjectAndTimeNarrowEachOther() {
        var ended = at("13:00").run("history", "--node=a", "--since=61m", "--decisions", "-o", "name");

        assertThat(ended.out()).isEqualTo("entry/3\n");
    }

    @Test
    void holderOfAnAddressAtATimeIsWhoHeldItThen() {
        var then = at("13:00").run("history", "--ip", "10.244.0.77", "--at", "2026-01-31T11:30:00Z");
        var after = at("13:00").run("history", "--ip", "10.244.0.77", "--at", "2026-01-31T12:30:00Z", "-o", "name");

        assertThat(then.out()).isEqualTo("""
            FROM             UNTIL   HOLDER          NODE   WHY
            01-31 10:00:00   -       10.244.0.0/24   a      chose 10.244.0.0/24 of 10.244.0…
            """);
        assertThat(after.out()).isEmpty();
    }

    @Test
    void moreThanTheLimitIsReportedAndCanBeContinued() {
        var first = at("13:00").run("history", "--limit=2", "-o", "name");
        var rest = at("13:00").run("history", "--limit=2", "--from=3", "-o", "name");

        assertThat(first.out()).isEqualTo("entry/1\nentry/2\n");
        assertThat(first.err()).isEqualTo("cadastre: warning: more entries follow; --from 3 shows them\n");
        assertThat(rest.out()).isEqualTo("entry/3\n");
        assertThat(rest.err()).isEmpty();
    }

    @Test
    void entryIsADocumentToo() throws IOException {
        var ended = at("13:00").run("history", "--node=b", "--decisions", "-o", "json");

        var entry = new ObjectMapper().readTree(ended.out());
        assertThat(entry.at("/number").asInt()).isEqualTo(2);
        assertThat(entry.at("/granted/0/range").asText()).isEqualTo("10.244.1.0/24");
        assertThat(entry.at("/granted/0/holder").asText()).isEqualTo("node/b");
        assertThat(entry.at("/granted/0/node").asText()).isEqualTo("b");
        assertThat(entry.at("/becauseFacts/0/rule").asText()).isEqualTo("nodecidr.NodeCidrReason.Chose");
        assertThat(entry.at("/becauseFacts/0/block").asText()).isEqualTo("10.244.1.0/24");
    }

    @Test
    void periodIsADocumentToo() throws IOException {
        var ended = at("13:00").run("history", "--node=a", "-o", "json");

        var period = new ObjectMapper().readTree(ended.out());
        assertThat(period.at("/from").asText()).isEqualTo("2026-01-31T10:00:00Z");
        assertThat(period.at("/until").asText()).isEqualTo("2026-01-31T12:00:00Z");
        assertThat(period.at("/holding/node").asText()).isEqualTo("a");
        assertThat(period.at("/entry").asInt()).isEqualTo(1);
    }

    private Shell at(String time) {
        return Shell.at(home).at(Instant.parse("2026-01-31T%s:00Z".formatted(time)));
    }
}
