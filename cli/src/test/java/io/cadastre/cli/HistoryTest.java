package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/// At ten o'clock `a` gets the first CIDR, at eleven `b` the second, at twelve `a` is removed.
final class HistoryTest {

    private static final String CLUSTER = "--cluster-cidr=10.244.0.0/16";

    @TempDir private Path home;

    @BeforeEach
    void addAndRemove() {
        at("10:00").run("node-cidr", "add", "a", CLUSTER);
        at("11:00").run("node-cidr", "add", "b", CLUSTER);
        at("12:00").run("node-cidr", "remove", "a");
    }

    @Test
    void entriesAreInTheOrderOfTime() {
        var ended = at("13:00").run("history");

        assertThat(ended.out())
                .isEqualTo(
                        """
                        NUMBER   TIME                   REQUEST              GRANTED         RETURNED
                        1        2026-01-31T10:00:00Z   node-cidr add a      10.244.0.0/24   -
                        2        2026-01-31T11:00:00Z   node-cidr add b      10.244.1.0/24   -
                        3        2026-01-31T12:00:00Z   node-cidr remove a   -               10.244.0.0/24
                        """);
    }

    @Test
    void reasonsAreShownWide() {
        var ended = at("13:00").run("history", "-o", "wide");

        assertThat(ended.out()).contains("BECAUSE", "chose 10.244.1.0/24 of 10.244.0.0/16");
    }

    @Test
    void historyOfAnAddressIsWhatTouchedIt() {
        var ended = at("13:00").run("history", "--ip", "10.244.0.77", "-o", "name");

        assertThat(ended.out()).isEqualTo("entry/1\nentry/3\n");
    }

    @Test
    void historyOfANodeIsWhatItGotAndGaveBack() {
        var ended = at("13:00").run("history", "--node", "a", "-o", "name");

        assertThat(ended.out()).isEqualTo("entry/1\nentry/3\n");
    }

    @Test
    void historyOfATimeBeginsWithItsStartAndEndsBeforeItsEnd() {
        var ended =
                at("13:00")
                        .run(
                                "history",
                                "--since=2026-01-31T11:00:00Z",
                                "--until=2026-01-31T12:00:00Z",
                                "-o",
                                "name");

        assertThat(ended.out()).isEqualTo("entry/2\n");
    }

    @Test
    void timesMayBeSaidAsAgo() {
        var ended = at("13:00").run("history", "--since=61m", "-o", "name");

        assertThat(ended.out()).isEqualTo("entry/3\n");
    }

    @Test
    void subjectAndTimeNarrowEachOther() {
        var ended = at("13:00").run("history", "--node=a", "--since=61m", "-o", "name");

        assertThat(ended.out()).isEqualTo("entry/3\n");
    }

    @Test
    void holderOfAnAddressAtATimeIsWhoHeldItThen() {
        var then =
                at("13:00").run("history", "--ip", "10.244.0.77", "--at", "2026-01-31T11:30:00Z");
        var after =
                at("13:00")
                        .run(
                                "history",
                                "--ip",
                                "10.244.0.77",
                                "--at",
                                "2026-01-31T12:30:00Z",
                                "-o",
                                "name");

        assertThat(then.out())
                .isEqualTo(
                        """
                        RANGE           LEVEL   HOLDER   STATE
                        10.244.0.0/24   node    node/a   held
                        """);
        assertThat(after.out()).isEmpty();
    }

    @Test
    void moreThanTheLimitIsToldAndCanBeReadOn() {
        var first = at("13:00").run("history", "--limit=2", "-o", "name");
        var rest = at("13:00").run("history", "--limit=2", "--from=3", "-o", "name");

        assertThat(first.out()).isEqualTo("entry/1\nentry/2\n");
        assertThat(first.err())
                .isEqualTo("cadastre: warning: there are more entries; --from 3 shows them\n");
        assertThat(rest.out()).isEqualTo("entry/3\n");
        assertThat(rest.err()).isEmpty();
    }

    @Test
    void entryIsADocumentToo() throws IOException {
        var ended = at("13:00").run("history", "--node=b", "-o", "json");

        var entry = new ObjectMapper().readTree(ended.out());
        assertThat(entry.at("/number").asInt()).isEqualTo(2);
        assertThat(entry.at("/granted/0/range").asText()).isEqualTo("10.244.1.0/24");
        assertThat(entry.at("/granted/0/holder").asText()).isEqualTo("node/b");
    }

    private Shell at(String time) {
        return Shell.at(home).at(Instant.parse("2026-01-31T%s:00Z".formatted(time)));
    }
}
