package io.cadastre.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.concurrent.Callable;

@Command(
        name = "create",
        description = {
            "Create resources that must not be there yet.",
            "Kinds and documents are those of 'cadastre apply'; one that is there already is"
                    + " refused and stays as it is."
        },
        footer = {"Examples:", "  cadastre create -f pool.yaml"})
final class CreateCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Mixin private final ManifestFiles files = new ManifestFiles();
    @Mixin private final CalicoOptions options = new CalicoOptions();

    CreateCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        return new ManifestRun(ManifestRun.Verb.CREATE, options, surroundings).run(files.names());
    }
}
