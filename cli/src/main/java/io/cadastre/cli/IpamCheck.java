package io.cadastre.cli;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.cli.Inspection.StoredHandle;
import io.cadastre.cli.Inspection.User;
import io.cadastre.cli.InspectionText.Detail;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.NodeDocument;
import io.cadastre.wire.calico.UnparsableEntryException;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

@Command(
        name = "check",
        description = {
            "Compare who is said to hold an address with who uses one, and look for documents that"
                    + " contradict themselves. Nothing is changed and nothing needs to be locked.",
            "Nodes and workloads are those of the store (Node and WorkloadEndpoint documents). No"
                    + " Kubernetes API is asked, so what was given by hand counts as allocated and"
                    + " not in use. The exit code is 0 even if there are problems."
        },
        footer = {
            "Examples:",
            "  cadastre ipam check",
            "  cadastre ipam check --show-problem-ips -o report.json"
        })
final class IpamCheck implements Callable<Integer> {

    private static final String WORKLOADS =
            "/calico/resources/v3/projectcalico.org/workloadendpoints/";

    private final Surroundings surroundings;

    @Option(names = "--show-all-ips", description = "Name every address.")
    private boolean showAll;

    @Option(names = "--show-problem-ips", description = "Name the addresses with problems.")
    private boolean showProblems;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            defaultValue = "",
            description = "Write a report, for 'cadastre ipam release --from-report'.")
    private String report = "";

    @Mixin private final StoreOptions storeOptions = new StoreOptions();

    IpamCheck(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        try (var desk = IpamDesk.openToLook(storeOptions, surroundings);
                var _ = Progress.show(surroundings, () -> "reading blocks")) {
            var store = desk.office().datastore();
            var inspection = inspect(desk, store);
            new InspectionText(inspection, detail(), surroundings.out()).print();
            if (!report.isEmpty()) {
                InspectionReport.of(report, inspection, ClusterFacts.fetch(store)).write();
            }
        }
        return ExitCode.DONE;
    }

    private Detail detail() {
        if (showAll) {
            return Detail.ALL;
        }
        return showProblems ? Detail.PROBLEMS : Detail.NONE;
    }

    private Inspection inspect(IpamDesk desk, Datastore store) {
        warnOfUnreadable(store);
        return Inspection.of(
                desk.ask(
                        view ->
                                Arrays.stream(Family.values())
                                        .flatMap(family -> view.blocks(family).stream())
                                        .toList()),
                desk.ask(view -> view.pools()),
                nodeUsers(store),
                workloadUsers(store),
                handles(store),
                desk.now());
    }

    /// Lists pass over what cannot be read, so this is where one learns of it.
    private void warnOfUnreadable(Datastore store) {
        for (var prefix : List.of(CalicoKeys.BLOCKS, CalicoKeys.HANDLES, CalicoKeys.POOLS)) {
            for (var document : store.listAll(prefix).documents()) {
                if (decoded(document).findAny().isEmpty()) {
                    surroundings.warn(
                            "%s cannot be read and counts for nothing".formatted(document.key()));
                }
            }
        }
    }

    private static Stream<CalicoDocument> decoded(Document document) {
        try {
            return CalicoKeys.parse(document.key()).stream()
                    .map(key -> CalicoDocument.decode(key, document.value()))
                    // The decoding must be over before the exception can be missed.
                    .toList()
                    .stream();
        } catch (UnparsableEntryException _) {
            return Stream.empty();
        }
    }

    private static List<User> nodeUsers(Datastore store) {
        return store.listAll(CalicoKeys.NODES).documents().stream()
                .flatMap(IpamCheck::decoded)
                .flatMap(
                        document ->
                                document instanceof NodeDocument node
                                        ? node.node().tunnelAddresses().stream()
                                                .map(
                                                        address ->
                                                                new User(
                                                                        address,
                                                                        "Node(%s)"
                                                                                .formatted(
                                                                                        node.node()
                                                                                                .name())))
                                        : Stream.empty())
                .toList();
    }

    private static List<User> workloadUsers(Datastore store) {
        return store.listAll(WORKLOADS).documents().stream()
                .flatMap(IpamCheck::workloadUsers)
                .toList();
    }

    private static Stream<User> workloadUsers(Document document) {
        var name = "Workload(%s)".formatted(document.key().substring(WORKLOADS.length()));
        try {
            var networks =
                    Json.readObject(document.key(), document.value())
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

    private static List<StoredHandle> handles(Datastore store) {
        return store.listAll(CalicoKeys.HANDLES).documents().stream()
                .filter(document -> decoded(document).findAny().isPresent())
                .flatMap(
                        document ->
                                CalicoKeys.parse(document.key()).stream()
                                        .flatMap(
                                                key ->
                                                        key instanceof CalicoKey.OfHandle(var id)
                                                                ? Stream.of(
                                                                        new StoredHandle(
                                                                                id,
                                                                                document
                                                                                        .revision()))
                                                                : Stream.empty()))
                .toList();
    }
}
