package io.cadastre.cli.run;

import io.cadastre.address.Prefix;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.resource.ManifestRun;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.StoreOptions;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/// The pool that a new store begins with.
final class DefaultPool {

    /// A range of RFC 1918 that no common network plugin uses by default.
    private static final String CIDR = "10.77.0.0/16";

    @ArgGroup
    private @Nullable Choice choice;

    /// At most one of them is given.
    static final class Choice {

        @Option(
                names = "--default-pool",
                paramLabel = "CIDR",
                description = "CIDR of the pool to create if the store has none; default "
                        + CIDR
                        + " in the embedded store, none in other stores.")
        private @Nullable String cidr;

        @Option(names = "--no-default-pool", description = "Do not create a pool.")
        private boolean none;
    }

    /// Creates the pool as `apply` does. A default range that is refused is left out with a line that gives the
    /// reason.
    ///
    /// @throws CommandRefusedException if a range that the user chose is refused
    void create(CalicoOptions options, CommandContext context) {
        var chosen = choice == null ? null : choice.cidr;
        boolean wanted = choice == null
                ? options.store().kind(context.environment()) == StoreOptions.Kind.EMBEDDED
                : !choice.none;
        if (!wanted) {
            return;
        }
        var cidr = chosen == null ? CIDR : checked(chosen);
        var manifest = """
            apiVersion: projectcalico.org/v3
            kind: IPPool
            metadata: {name: default}
            spec: {cidr: "%s"}
            """.formatted(cidr);
        int exitCode = new ManifestRun(
                        ManifestRun.Verb.CREATE,
                        options,
                        context.withIn(new ByteArrayInputStream(manifest.getBytes(StandardCharsets.UTF_8))))
                .run(List.of("-"));
        if (exitCode != ExitCode.DONE && chosen != null) {
            throw new CommandRefusedException(
                    "the pool %s cannot be created; give another range with --default-pool".formatted(cidr));
        }
    }

    private static Prefix checked(String cidr) {
        try {
            return Prefix.parse(cidr);
        } catch (IllegalArgumentException nonsense) {
            throw new UsageException("--default-pool '%s' is not a CIDR such as %s".formatted(cidr, CIDR));
        }
    }
}
