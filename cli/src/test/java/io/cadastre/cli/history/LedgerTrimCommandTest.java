package io.cadastre.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// In January `a` gets a CIDR and four others come and go; in May `b` gets one.
final class LedgerTrimCommandTest {

    private static final String CLUSTER = "--cluster-cidr=10.244.0.0/16";

    @TempDir
    private Path home;

    @BeforeEach
    void addAndRemove() {
        var january = at("2026-01-31T10:00:00Z");
        january.run("node-cidr", "add", "a", CLUSTER);
        for (int index = 0; index < 4; index++) {
            january.run("node-cidr", "add", "passing-" + index, CLUSTER);
            january.run("node-cidr", "remove", "passing-" + index);
        }
        at("2026-05-01T10:00:00Z").run("node-cidr", "add", "b", CLUSTER);
    }

    @Test
    void oldEntriesGoAndCurrentHoldersStayKnown() {
        var may = at("2026-05-02T00:00:00Z");

        var trimmed = may.run("ledger", "trim", "--older-than=30d");

        assertThat(trimmed.exitCode()).as(trimmed.err()).isZero();
        assertThat(trimmed.out())
                .startsWith("removed entries 1 to 9, ")
                .endsWith("; 1 entries and 1 current tenures remain\n");
        assertThat(may.run("ledger", "verify").out()).startsWith("3 entries are sound; ");
        assertThat(may.run("who", "10.244.0.7").out()).contains("01-31 10:00:00", " a ");
        var then = may.run("who", "10.244.0.7", "--at", "2026-01-31T09:00:00Z");
        assertThat(then.err()).contains("the ledger was trimmed: before 2026-01-31T10:00:00Z it records");
        assertThat(at("2026-05-03T00:00:00Z")
                        .run("node-cidr", "add", "c", CLUSTER)
                        .exitCode())
                .isZero();
        assertThat(may.run("ledger", "verify").out()).startsWith("4 entries are sound; ");
    }

    @Test
    void boundsThatMakeNoSenseAreRefused() {
        var age = at("2026-05-02T00:00:00Z").run("agent", "--node=a", "--ledger-max-age=0d");
        var size = at("2026-05-02T00:00:00Z").run("controller", "--ledger-max-bytes=10");

        assertThat(age.exitCode()).isEqualTo(2);
        assertThat(age.err()).contains("--ledger-max-age: '0d' is not a duration; write one like 12h or 90d");
        assertThat(size.exitCode()).isEqualTo(2);
        assertThat(size.err()).contains("--ledger-max-bytes must be at least 1000000, not 10");
    }

    @Test
    void dryRunChangesNothing() {
        var may = at("2026-05-02T00:00:00Z");

        var dry = may.run("ledger", "trim", "--max-bytes=0", "--dry-run");

        assertThat(dry.out()).startsWith("would remove entries 1 to 10, ");
        assertThat(may.run("ledger", "verify").out()).startsWith("10 entries are sound; ");
    }

    @Test
    void nothingIsCutOffWhereNothingIsOld() {
        var ended = at("2026-05-02T00:00:00Z").run("ledger", "trim", "--older-than=365d");

        assertThat(ended.out()).isEqualTo("nothing to remove\n");
    }

    private Shell at(String time) {
        return Shell.at(home).at(Instant.parse(time));
    }
}
