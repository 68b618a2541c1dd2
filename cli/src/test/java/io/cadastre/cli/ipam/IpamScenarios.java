package io.cadastre.cli.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Manifest;
import io.cadastre.cli.Shell;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `calicoctl ipam` shows, on every store that commands can use.
abstract class IpamScenarios {

    private static final String HANDLES = "/calico/ipam/v2/handle/";

    @TempDir
    private Path home;

    @TempDir
    private Path folder;

    private Shell shell = Shell.at(Path.of(""));

    /// A shell whose commands use a store in which there is nothing.
    abstract Shell open(Path freshHome);

    /// The store that the commands use.
    abstract Datastore store(Shell user);

    @BeforeEach
    void openShell() {
        shell = open(home);
    }

    private void given(String... documents) throws IOException {
        assertThat(Manifest.apply(shell, folder, documents).exitCode()).isZero();
    }

    /// Writes what others may have written, behind the back of every law.
    private void stored(String key, String value) {
        try (var store = store(shell)) {
            store.commit(List.of(new Write.Create(key, Bytes.ofUtf8(value))));
        }
    }

    @Test
    @DisplayName("CAL-118: use is shown by pool and by block, with Calico's percentages")
    void useIsShownByPoolAndByBlock() throws IOException {
        given(
                Manifest.pool("a", "{cidr: 10.65.0.0/16}"),
                Manifest.pool("b", "{cidr: 10.66.0.0/29, blockSize: 29}"),
                Manifest.node("n"));
        shell.run("ipam", "assign", "--node", "n", "--num4", "5", "--pool", "a");
        shell.run("ipam", "assign", "--node", "n", "--num4", "8", "--pool", "b");

        var pools = shell.run("ipam", "show").out();
        var blocks = shell.run("ipam", "show", "--show-blocks").out();

        assertThat(pools).contains("|     5 (0%) |").contains("| 65531 (100%) |");
        assertThat(blocks)
                .contains("|     5 (8%) |")
                .contains("|     59 (92%) |")
                .contains("|   8 (100%) |       0 (0%) |       0 (0%) |");
    }

    @Test
    @DisplayName("CAL-119: an address is shown that is held, that is free, and that is none")
    void addressIsShown() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/26}"), Manifest.node("n"));
        shell.run("ipam", "assign", "--node", "n", "--ip", "10.0.0.7", "--handle", "h");

        var held = shell.run("ipam", "show", "--ip", "10.0.0.7");
        var free = shell.run("ipam", "show", "--ip", "10.0.0.8");
        var none = shell.run("ipam", "show", "--ip", "10.0.0.256");

        assertThat(held.out()).isEqualTo("""
            IP 10.0.0.7 is in use
            Handle ID: h
            Active Owner Attributes:
              node: n
            """);
        assertThat(free.out()).isEqualTo("10.0.0.8 is not assigned\n");
        assertThat(none.exitCode()).isEqualTo(2);
        assertThat(none.err()).contains("invalid IP address specified: 10.0.0.256");
    }

    @Test
    @DisplayName("CAL-120: a leaked handle is found and released under lock or by force, once")
    void leakedHandleIsReleasedUnderLockOrByForce() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/26}"), Manifest.node("a"));
        shell.run("ipam", "assign", "--node", "a", "--handle", "h");
        stored(HANDLES + "ghost", "{\"block\":{\"10.0.0.0/26\":1},\"deleted\":false}");
        var file = folder.resolve("report.json").toString();

        var check = shell.run("ipam", "check", "-o", file);
        var careful = shell.run("ipam", "release", "--from-report", file);
        var forced = shell.run("ipam", "release", "--from-report", file, "--force");
        stored(HANDLES + "ghost", "{\"block\":{\"10.0.0.0/26\":1},\"deleted\":false}");
        var again = shell.run("ipam", "release", "--from-report", file, "--force");

        assertThat(check.out()).contains("Found 1 handles with no matching IPs (and 1 handles with matches).\n");
        assertThat(careful.exitCode()).isEqualTo(3);
        assertThat(careful.err())
                .contains("data store is not locked. Either lock the data store, or re-run with" + " --force");
        assertThat(forced.exitCode()).isZero();
        assertThat(forced.out())
                .contains("WARNING: Data store is not locked. Ignoring due to --force option\n")
                .contains("Releasing 1 old IPs...\nReleased 1 IPs successfully\n")
                .contains("""
                    Deleting 1 handles...
                    Key: '.' = Deleted OK; 'x' = skip, handle missing/changed.
                    .
                    Released 1 handles; 0 skipped; 0 errors.
                    """)
                .endsWith("You may now unlock the data store.\n");
        assertThat(again.out()).contains("Released 0 handles; 1 skipped; 0 errors.\n");
        assertThat(shell.run("get", "ipamhandles", "-o", "name").out()).isEqualTo("ipamhandle/ghost\n");
    }

    @Test
    @DisplayName("CAL-122: an address that cools is no problem")
    void coolingAddressIsNotAProblem() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/26}"), Manifest.node("a"));
        shell.run("ipam", "configure", "--ip-cooldown-seconds=60");
        shell.run("ipam", "assign", "--node", "a", "--ip", "10.0.0.0", "--handle", "h");
        shell.run("ipam", "release", "--ip", "10.0.0.0");

        var check = shell.run("ipam", "check");

        assertThat(check.out()).endsWith("Check complete; found 0 problems.\n");
    }
}
