package io.cadastre.cli.ipam;

import io.cadastre.address.Address;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.Progress;
import io.cadastre.cli.ipam.Inspection.StoredHandle;
import io.cadastre.cli.ipam.Inspection.User;
import io.cadastre.cli.ipam.InspectionText.Detail;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.cli.session.CalicoVersion;
import io.cadastre.cli.session.ClusterFacts;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.engine.block.Block;
import io.cadastre.wire.calico.BlockDocument;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.CalicoNodeDocument;
import io.cadastre.wire.calico.CalicoStructs;
import io.cadastre.wire.calico.UnparsableEntryException;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.survey.StoreSurvey;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "check",
        description = {
            "Compare allocated addresses with those in use, and find inconsistent documents. Changes"
                    + " nothing and needs no lock.",
            "Nodes and workloads are read from the store (Node and WorkloadEndpoint documents), not"
                    + " from a Kubernetes API, so addresses assigned by hand count as allocated and"
                    + " not in use. The exit code is 0 even if problems are found.",
            "If there are SpiderIPPools, also reports records of pods that do not exist, endpoints without"
                    + " records and wrong counts.",
            "Also compares the ranges, blocks, node CIDRs and addresses of all dialects in the store."
                    + " Anything held twice is reported on standard error, and the exit code is 1.",
            "The same applies to anything that the ledger records as held and the store records as"
                    + " free or held by another. With etcdv3 and kubernetes this is a warning, since"
                    + " other processes may have released it."
        },
        footer = {"Examples:", "  cadastre ipam check", "  cadastre ipam check --show-problem-ips -o report.json"})
final class IpamCheck implements Callable<Integer> {

    private static final String WORKLOADS = "/calico/resources/v3/projectcalico.org/workloadendpoints/";

    /// At most this many findings are reported.
    private static final int FINDINGS_MAX = 100;

    private final CommandContext context;

    @Option(names = "--show-all-ips", description = "List every address.")
    private boolean showAll;

    @Option(names = "--show-problem-ips", description = "List the addresses with problems.")
    private boolean showProblems;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            defaultValue = "",
            description = "Write a report for 'cadastre ipam release --from-report'.")
    private String report = "";

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    IpamCheck(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        try (var ipam = CalicoSession.openToLook(options, context);
                var _ = Progress.show(context, () -> "reading blocks")) {
            var store = ipam.session().datastore();
            var comparison = LedgerComparison.begin(options.store(), context);
            var found = findBlocks(store);
            var blocks = found.orElse(List.of());
            var inspection = found.isPresent()
                    ? inspect(ipam, store, blocks)
                    : Inspection.of(List.of(), List.of(), List.of(), List.of(), List.of(), ipam.now());
            new InspectionText(inspection, detail(), context.out()).print();
            var pools = SpiderPools.fetch(ipam);
            if (!pools.pools().isEmpty()) {
                PoolInspection.of(pools, store, context).print(detail(), context.out());
            }
            if (!report.isEmpty()) {
                InspectionReport.of(
                                report, inspection, ClusterFacts.fetch(store), CalicoVersion.of(context.environment()))
                        .write();
            }
            int twice = report(StoreSurvey.findings(store, blocks), context::complain);
            int unlike = comparison.report(StoreSurvey.holdings(store, blocks));
            return Math.max(twice, unlike);
        }
    }

    /// The blocks that can be read. Empty if the cluster lacks Calico's kinds.
    private Optional<List<Block>> findBlocks(Datastore store) {
        try {
            return Optional.of(blocks(store));
        } catch (DatastoreException failed) {
            if (failed.kind() != DatastoreException.Kind.NOT_INSTALLED) {
                throw failed;
            }
            context.warn("this cluster lacks Calico's kinds, so only other dialects are compared");
            return Optional.empty();
        }
    }

    /// The blocks that can be read.
    List<Block> blocks(Datastore store) {
        return readable(store, CalicoKeys.BLOCKS).flatMap(IpamCheck::block).toList();
    }

    /// Prints the findings that calicoctl does not have, and returns the exit code.
    static int report(List<String> findings, Consumer<String> printer) {
        findings.stream().limit(FINDINGS_MAX).forEach(printer);
        if (findings.size() > FINDINGS_MAX) {
            printer.accept("and %d more".formatted(findings.size() - FINDINGS_MAX));
        }
        return findings.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private Detail detail() {
        if (showAll) {
            return Detail.ALL;
        }
        return showProblems ? Detail.PROBLEMS : Detail.NONE;
    }

    private Inspection inspect(CalicoSession ipam, Datastore store, List<Block> blocks) {
        return Inspection.of(
                blocks,
                ipam.ask(view -> view.pools()),
                readable(store, CalicoKeys.NODES).flatMap(IpamCheck::nodeUsers).toList(),
                workloadUsers(store),
                readable(store, CalicoKeys.HANDLES).flatMap(IpamCheck::handle).toList(),
                ipam.now());
    }

    /// A document that could be decoded.
    private record Understood(CalicoKey key, CalicoDocument content, long revision) {}

    /// The documents below a prefix that can be read. Other lists skip the rest silently; here it is reported.
    private Stream<Understood> readable(Datastore store, String prefix) {
        return store.listAll(prefix).documents().stream().flatMap(document -> understood(document).stream());
    }

    private Optional<Understood> understood(Document document) {
        try {
            var key = CalicoKeys.parse(document.key());
            if (key.isPresent()) {
                var content = CalicoDocument.decode(key.get(), document.value());
                return Optional.of(new Understood(key.get(), content, document.revision()));
            }
        } catch (UnparsableEntryException _) {
            // Reported below, as for an invalid key.
        }
        context.warn("%s cannot be read and is ignored".formatted(document.key()));
        return Optional.empty();
    }

    private static Stream<Block> block(Understood read) {
        return read.content() instanceof BlockDocument document ? Stream.of(document.block()) : Stream.empty();
    }

    private static Stream<StoredHandle> handle(Understood read) {
        return read.key() instanceof CalicoKey.OfHandle(var id)
                ? Stream.of(new StoredHandle(id, read.revision()))
                : Stream.empty();
    }

    private static Stream<User> nodeUsers(Understood read) {
        if (!(read.content() instanceof CalicoNodeDocument document)) {
            return Stream.empty();
        }
        var name = "Node(%s)".formatted(document.node().name());
        return document.node().tunnelAddresses().stream().map(address -> new User(address, name));
    }

    private static List<User> workloadUsers(Datastore store) {
        return store.listAll(WORKLOADS).documents().stream()
                .flatMap(IpamCheck::workloadUsers)
                .toList();
    }

    private static Stream<User> workloadUsers(Document document) {
        var name = "Workload(%s)".formatted(document.key().substring(WORKLOADS.length()));
        try {
            var networks = CalicoStructs.ENDPOINT
                    .read(Json.readObject(document.key(), document.value()))
                    .path("spec")
                    .path("ipNetworks");
            return StreamSupport.stream(networks.spliterator(), false)
                    .flatMap(network -> address(network.asText()))
                    .map(address -> new User(address, name));
        } catch (UnreadableDocumentException _) {
            return Stream.empty();
        }
    }

    private static Stream<Address> address(String network) {
        int slash = network.indexOf('/');
        try {
            return Stream.of(Address.parse(slash < 0 ? network : network.substring(0, slash)));
        } catch (IllegalArgumentException _) {
            return Stream.empty();
        }
    }
}
