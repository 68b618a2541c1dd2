package io.cadastre.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.cadastre.engine.block.BlockSettings;
import io.cadastre.engine.block.Configuration;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.resource.Applied;
import io.cadastre.wire.calico.resource.ResourceFault;
import io.cadastre.wire.calico.resource.Resources;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

@Command(
        name = "apply",
        description = {
            "Create resources, or have them take the place of those that are stored.",
            "Kinds: IPPool, IPReservation, IPAMConfiguration, Node, ClusterInformation; each with"
                    + " apiVersion projectcalico.org/v3. Documents are applied in their order; a"
                    + " refused one does not stop the others."
        },
        footer = {
            "Examples:",
            "  cadastre apply -f pool.yaml",
            "  cadastre get ippools -o yaml | cadastre apply -f -"
        })
final class ApplyCommand implements Callable<Integer> {

    private static final String VERSION = "projectcalico.org/v3";

    private final Surroundings surroundings;

    @Mixin private final StoreOptions storeOptions = new StoreOptions();

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description = "YAML or JSON, one or several documents; - reads what is piped in.")
    private List<String> files = List.of();

    ApplyCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    private record Manifest(ResourceKind kind, ObjectNode json) {

        String name() {
            return "%s/%s"
                    .formatted(
                            kind.singular(),
                            json.path("metadata").path("name").asText("<unnamed>"));
        }
    }

    @Override
    public Integer call() {
        var manifests = new ArrayList<Manifest>();
        for (var file : files) {
            for (var json : Manifests.read(file, surroundings.in())) {
                manifests.add(manifest(file, json));
            }
        }
        int refused = 0;
        try (var desk = IpamDesk.open(storeOptions, surroundings)) {
            for (var manifest : manifests) {
                try {
                    surroundings
                            .out()
                            .println("%s %s".formatted(manifest.name(), apply(desk, manifest)));
                } catch (RefusedException refusal) {
                    surroundings.complain(
                            "%s is not applied: %s"
                                    .formatted(manifest.name(), refusal.getMessage()));
                    refused++;
                }
            }
        }
        return refused == 0 ? ExitCode.DONE : ExitCode.REFUSED;
    }

    private static Manifest manifest(String file, ObjectNode json) {
        var word = json.path("kind").asText("");
        var version = json.path("apiVersion").asText("");
        var kind = ResourceKind.ofDocument(word).filter(ApplyCommand::writable);
        if (kind.isEmpty()) {
            throw new UsageException(
                    "%s has a document of kind '%s', which cannot be applied"
                            .formatted(file, word));
        }
        if (!version.equals(VERSION)) {
            throw new UsageException(
                    "%s has a document of apiVersion '%s' and not %s"
                            .formatted(file, version, VERSION));
        }
        return new Manifest(kind.get(), json);
    }

    private static boolean writable(ResourceKind kind) {
        return kind == ResourceKind.CONFIGURATION || kind.stored().isPresent();
    }

    /// What was done, in a word.
    private String apply(IpamDesk desk, Manifest manifest) {
        return manifest.kind()
                .stored()
                .map(kind -> apply(desk, manifest, kind))
                .orElseGet(() -> configure(desk, manifest));
    }

    private String apply(IpamDesk desk, Manifest manifest, Resources.Kind kind) {
        var given = new Resources.Given(kind, manifest.json(), desk.freshUid(), desk.now());
        var applied =
                desk.resources()
                        .enact(
                                new Request<>(
                                        "apply " + manifest.name(),
                                        view -> Resources.apply(view, given)));
        return switch (applied) {
            case Applied.Created _ -> {
                warnOfNonsense(manifest);
                yield "created";
            }
            case Applied.Configured _ -> {
                warnOfNonsense(manifest);
                yield "configured";
            }
            case Applied.Unchanged _ -> "unchanged";
            case Applied.Invalid(var faults) ->
                    throw new RefusedException(ResourceFault.text(faults));
            case Applied.Outdated outdated -> throw new RefusedException(outdated.sentence());
        };
    }

    /// A reservation may hold anything. What is no range reserves nothing, and nobody would notice.
    private void warnOfNonsense(Manifest manifest) {
        if (manifest.kind() == ResourceKind.RESERVATION) {
            for (var text : manifest.json().path("spec").path("reservedCIDRs")) {
                if (!ReservedRange.isOne(text.asText())) {
                    surroundings.warn(
                            "%s: '%s' is neither a CIDR nor an address and reserves nothing"
                                    .formatted(manifest.name(), text.asText()));
                }
            }
        }
    }

    private static String configure(IpamDesk desk, Manifest manifest) {
        var config = ConfigurationDocument.read(manifest.json());
        var before = desk.ask(view -> view.config());
        var outcome =
                desk.blocks()
                        .enact(
                                new Request<>(
                                        "apply " + manifest.name(),
                                        view -> BlockSettings.configure(view, config)));
        return switch (outcome) {
            case Configuration.Configured _ -> before.equals(config) ? "unchanged" : "configured";
            case Configuration.Refused(var refusal) ->
                    throw new RefusedException(refusal.sentence());
        };
    }
}
