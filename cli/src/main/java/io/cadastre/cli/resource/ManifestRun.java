package io.cadastre.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.cli.session.Manifests;
import io.cadastre.engine.block.BlockSettings;
import io.cadastre.engine.block.Configuration;
import io.cadastre.registry.Request;
import io.cadastre.wire.book.ResourceKind;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.resource.Applied;
import io.cadastre.wire.calico.resource.CalicoKind;
import io.cadastre.wire.calico.resource.CalicoKinds;
import io.cadastre.wire.calico.resource.ResourceFault;
import io.cadastre.wire.calico.resource.Resources;
import io.cadastre.wire.cilium.CiliumKind;
import io.cadastre.wire.json.GoStruct;
import io.cadastre.wire.json.GoStruct.Spelling;
import io.cadastre.wire.kubernetes.CoreKind;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrKind;
import io.cadastre.wire.spiderpool.objects.SpiderKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Writes the resources of some files, in their order. A refused one does not stop the others.
public record ManifestRun(Verb verb, CalicoOptions options, CommandContext context) {

    /// What is done with each.
    public enum Verb {
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
                            kind.singular(), json.path("metadata").path("name").asText("<unnamed>"));
        }
    }

    public int run(List<String> files) {
        var manifests = read(files);
        try (var ipam = CalicoSession.open(options, context)) {
            return write(manifests, ipam);
        }
    }

    /// Writes them to a store that is open.
    public int run(List<String> files, CalicoSession ipam) {
        return write(read(files), ipam);
    }

    private List<Manifest> read(List<String> files) {
        var manifests = new ArrayList<Manifest>();
        for (var file : files) {
            for (var json : Manifests.read(file, context.in())) {
                manifests.add(manifest(file, json));
            }
        }
        return manifests;
    }

    private int write(List<Manifest> manifests, CalicoSession ipam) {
        int refused = 0;
        for (var manifest : manifests) {
            try {
                context.out().println("%s %s".formatted(manifest.name(), write(ipam, manifest)));
            } catch (CommandRefusedException refusal) {
                context.complain("%s is not %s: %s".formatted(manifest.name(), verb.done, refusal.getMessage()));
                refused++;
            }
        }
        return refused == 0 ? ExitCode.DONE : ExitCode.REFUSED;
    }

    private Manifest manifest(String file, ObjectNode json) {
        var word = json.path("kind").asText("");
        var version = json.path("apiVersion").asText("");
        var kinds = KnownKinds.ofDocument(word).stream()
                .filter(ResourceKind::isWritten)
                .toList();
        if (kinds.isEmpty()) {
            throw new UsageException(
                    "%s has a document of kind '%s', which cannot be %s".formatted(file, word, verb.done));
        }
        var kind = kinds.stream()
                .filter(one -> one.traits().apiVersion().equals(version))
                .findFirst()
                .orElseThrow(() -> new UsageException("%s has a document of apiVersion '%s'; it must be %s"
                        .formatted(
                                file,
                                version,
                                kinds.stream()
                                        .map(one -> one.traits().apiVersion())
                                        .collect(Collectors.joining(" or ")))));
        var struct = kind.traits().fields();
        checkNames(file, kind, struct, json);
        return new Manifest(kind, struct.readSorted(json));
    }

    /// Refuses a field that its kind does not have, in the words of the peer that would: calicoctl takes a
    /// known name in any letter case, a Kubernetes API server only as it is spelled.
    private static void checkNames(String file, ResourceKind kind, GoStruct struct, ObjectNode json) {
        var unknown = struct.unknown(json, kind.spelling());
        if (!unknown.isEmpty()) {
            var first = unknown.getFirst();
            throw new UsageException("%s: %s: %s%s"
                    .formatted(
                            file,
                            new Manifest(kind, json).name(),
                            kind.spelling() == Spelling.EXACT
                                    ? "strict decoding error: unknown field \"%s\"".formatted(first.path())
                                    : "field in document is not recognized or is in the"
                                            + " wrong location: "
                                            + first.name(),
                            first.hint()));
        }
    }

    /// What was done, in a word.
    private String write(CalicoSession ipam, Manifest manifest) {
        if (manifest.kind() instanceof SpiderKind spider) {
            var words = words(manifest);
            return switch (verb) {
                case APPLY -> SpiderpoolSession.apply(ipam, words, spider, manifest.json());
                case CREATE -> SpiderpoolSession.create(ipam, words, spider, manifest.json());
            };
        }
        if (manifest.kind() instanceof CiliumKind cilium) {
            var words = words(manifest);
            return switch (verb) {
                case APPLY -> CiliumSession.apply(ipam, words, cilium, manifest.json());
                case CREATE -> CiliumSession.create(ipam, words, cilium, manifest.json());
            };
        }
        if (manifest.kind() instanceof ClusterCidrKind clusterCidr) {
            var words = words(manifest);
            return switch (verb) {
                case APPLY -> ClusterCidrSession.apply(ipam, words, clusterCidr, manifest.json());
                case CREATE -> ClusterCidrSession.create(ipam, words, clusterCidr, manifest.json());
            };
        }
        if (manifest.kind() instanceof CoreKind core) {
            var words = words(manifest);
            return switch (verb) {
                case APPLY -> CoreSession.apply(ipam, words, core, manifest.json());
                case CREATE -> CoreSession.create(ipam, words, core, manifest.json());
            };
        }
        return manifest.kind().equals(CalicoKinds.CONFIGURATION)
                ? configure(ipam, manifest)
                : write(ipam, manifest, (CalicoKind) manifest.kind());
    }

    private String write(CalicoSession ipam, Manifest manifest, CalicoKind kind) {
        var given = new Resources.Given(kind, manifest.json(), ipam.freshUid(), ipam.now());
        var applied = ipam.resources().enact(new Request<>(words(manifest), view -> switch (verb) {
            case APPLY -> Resources.apply(view, given);
            case CREATE -> Resources.create(view, given);
        }));
        return switch (applied) {
            case Applied.Created _ -> "created";
            case Applied.Configured _ -> "configured";
            case Applied.Unchanged _ -> "unchanged";
            case Applied.Invalid(var faults) -> throw new CommandRefusedException(ResourceFault.text(faults));
            case Applied.Outdated outdated -> throw new CommandRefusedException(outdated.sentence());
            case Applied.AlreadyThere there -> throw new CommandRefusedException(there.sentence());
        };
    }

    private String words(Manifest manifest) {
        return "%s %s".formatted(verb.word, manifest.name());
    }

    private String configure(CalicoSession ipam, Manifest manifest) {
        if (verb == Verb.CREATE
                && ipam.session().datastore().get(CalicoKeys.CONFIG).isPresent()) {
            throw new CommandRefusedException(new Applied.AlreadyThere("IPAMConfiguration(default)").sentence());
        }
        var config = ConfigurationDocument.read(manifest.json());
        var before = ipam.ask(view -> view.config());
        var outcome =
                ipam.blocks().enact(new Request<>(words(manifest), view -> BlockSettings.configure(view, config)));
        return switch (outcome) {
            case Configuration.Configured _ -> {
                if (verb == Verb.CREATE) {
                    yield "created";
                }
                yield before.equals(config) ? "unchanged" : "configured";
            }
            case Configuration.Refused(var refusal) -> throw new CommandRefusedException(refusal.sentence());
        };
    }
}
