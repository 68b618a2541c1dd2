package io.cadastre.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.cadastre.engine.block.BlockSettings;
import io.cadastre.engine.block.Configuration;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.resource.Applied;
import io.cadastre.wire.calico.resource.ResourceFault;
import io.cadastre.wire.calico.resource.Resources;

import java.util.ArrayList;
import java.util.List;

/// Writes the resources of some files, in their order. A refused one does not stop the others.
record ManifestRun(Verb verb, CalicoOptions options, Surroundings surroundings) {

    /// What is done with each.
    enum Verb {
        APPLY("apply", "applied"),
        CREATE("create", "created");

        private final String word;
        private final String done;

        Verb(String word, String done) {
            this.word = word;
            this.done = done;
        }
    }

    private record Manifest(ResourceKind kind, ObjectNode json) {

        String name() {
            return "%s/%s"
                    .formatted(
                            kind.singular(),
                            json.path("metadata").path("name").asText("<unnamed>"));
        }
    }

    int run(List<String> files) {
        var manifests = new ArrayList<Manifest>();
        for (var file : files) {
            for (var json : Manifests.read(file, surroundings.in())) {
                manifests.add(manifest(file, json));
            }
        }
        int refused = 0;
        try (var desk = IpamDesk.open(options, surroundings)) {
            for (var manifest : manifests) {
                try {
                    surroundings
                            .out()
                            .println("%s %s".formatted(manifest.name(), write(desk, manifest)));
                } catch (RefusedException refusal) {
                    surroundings.complain(
                            "%s is not %s: %s"
                                    .formatted(manifest.name(), verb.done, refusal.getMessage()));
                    refused++;
                }
            }
        }
        return refused == 0 ? ExitCode.DONE : ExitCode.REFUSED;
    }

    private Manifest manifest(String file, ObjectNode json) {
        var word = json.path("kind").asText("");
        var version = json.path("apiVersion").asText("");
        var kind = ResourceKind.ofDocument(word).filter(ManifestRun::writable);
        if (kind.isEmpty()) {
            throw new UsageException(
                    "%s has a document of kind '%s', which cannot be %s"
                            .formatted(file, word, verb.done));
        }
        var wanted = kind.get().apiVersion();
        if (!version.equals(wanted)) {
            throw new UsageException(
                    "%s has a document of apiVersion '%s' and not %s"
                            .formatted(file, version, wanted));
        }
        return new Manifest(kind.get(), json);
    }

    private static boolean writable(ResourceKind kind) {
        return kind == ResourceKind.CONFIGURATION
                || kind.stored().isPresent()
                || kind.written().isPresent();
    }

    /// What was done, in a word.
    private String write(IpamDesk desk, Manifest manifest) {
        var written = manifest.kind().written();
        if (written.isPresent()) {
            var words = words(manifest);
            return switch (verb) {
                case APPLY -> SpiderDesk.apply(desk, words, written.get(), manifest.json());
                case CREATE -> SpiderDesk.create(desk, words, written.get(), manifest.json());
            };
        }
        return manifest.kind()
                .stored()
                .map(kind -> write(desk, manifest, kind))
                .orElseGet(() -> configure(desk, manifest));
    }

    private String write(IpamDesk desk, Manifest manifest, Resources.Kind kind) {
        var given = new Resources.Given(kind, manifest.json(), desk.freshUid(), desk.now());
        var applied =
                desk.resources()
                        .enact(
                                new Request<>(
                                        words(manifest),
                                        view ->
                                                switch (verb) {
                                                    case APPLY -> Resources.apply(view, given);
                                                    case CREATE -> Resources.create(view, given);
                                                }));
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
            case Applied.AlreadyThere there -> throw new RefusedException(there.sentence());
        };
    }

    private String words(Manifest manifest) {
        return "%s %s".formatted(verb.word, manifest.name());
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

    private String configure(IpamDesk desk, Manifest manifest) {
        if (verb == Verb.CREATE && desk.office().datastore().get(CalicoKeys.CONFIG).isPresent()) {
            throw new RefusedException(
                    new Applied.AlreadyThere("IPAMConfiguration(default)").sentence());
        }
        var config = ConfigurationDocument.read(manifest.json());
        var before = desk.ask(view -> view.config());
        var outcome =
                desk.blocks()
                        .enact(
                                new Request<>(
                                        words(manifest),
                                        view -> BlockSettings.configure(view, config)));
        return switch (outcome) {
            case Configuration.Configured _ -> {
                if (verb == Verb.CREATE) {
                    yield "created";
                }
                yield before.equals(config) ? "unchanged" : "configured";
            }
            case Configuration.Refused(var refusal) ->
                    throw new RefusedException(refusal.sentence());
        };
    }
}
