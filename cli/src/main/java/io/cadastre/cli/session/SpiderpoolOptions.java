package io.cadastre.cli.session;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.UsageException;
import io.cadastre.wire.spiderpool.settings.InvalidSettingException;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSettings;
import java.io.InputStream;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/// How Spiderpool's pools are set in this cluster.
public final class SpiderpoolOptions {

    /// Names the file for all commands.
    private static final String VARIABLE = "CADASTRE_SPIDERPOOL_CONFIG";

    @Option(
            names = "--spiderpool-config",
            paramLabel = "FILE",
            defaultValue = "",
            showDefaultValue = CommandLine.Help.Visibility.NEVER,
            description = {
                "conf.yml of Spiderpool's ConfigMap; the environment variables of Spiderpool's agent count too.",
                "Default: $" + VARIABLE + ", or the defaults of Spiderpool's chart."
            })
    private String file = "";

    /// Those of the file and of the environment.
    ///
    /// @throws UsageException if the file cannot be read, or a setting has a value that it cannot have
    public SpiderpoolSettings settings(CommandContext context) {
        var environment = context.environment();
        var name = file.isEmpty() ? environment.getOrDefault(VARIABLE, "") : file;
        try {
            if (name.isEmpty()) {
                return SpiderpoolSettings.of(environment);
            }
            var documents = Manifests.read(name, InputStream.nullInputStream());
            if (documents.size() > 1) {
                throw new UsageException("%s has several documents; conf.yml is one".formatted(name));
            }
            return SpiderpoolSettings.of(name, documents.getFirst(), environment);
        } catch (InvalidSettingException invalid) {
            throw new UsageException(String.valueOf(invalid.getMessage()));
        }
    }
}
