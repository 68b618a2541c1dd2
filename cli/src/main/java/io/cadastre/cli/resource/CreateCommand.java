package io.cadastre.cli.resource;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.session.CalicoOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "create",
        description = {
            "Create resources that do not exist yet.",
            "Accepts the same kinds and documents as 'cadastre apply'. A resource that already exists"
                    + " is refused and left unchanged."
        },
        footer = {"Examples:", "  cadastre create -f pool.yaml"})
public final class CreateCommand implements Callable<Integer> {

    private final CommandContext context;

    @Mixin
    private final ManifestFiles files = new ManifestFiles();

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    public CreateCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return new ManifestRun(ManifestRun.Verb.CREATE, options, context).run(files.names());
    }
}
