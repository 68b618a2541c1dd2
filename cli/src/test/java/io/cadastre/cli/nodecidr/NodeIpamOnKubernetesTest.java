package io.cadastre.cli.nodecidr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.cli.Shell;
import io.cadastre.cli.nodecidr.ApiProxy.Patch;
import io.cadastre.cli.nodecidr.ApiProxy.PlannedReply;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.fabric8.kubernetes.api.model.ContainerImageBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The scenarios of kube-controller-manager's RangeAllocator, by their ids: the controller as a process, a real API
/// server, and between them what can go wrong.
@Timeout(600)
class NodeIpamOnKubernetesTest {

    private static final Duration PATIENCE = NodeAllocator.PATIENCE;
    private static final Duration POLL = Duration.ofMillis(20);
    private static final String FIGURES = "node_ipam_controller_cidrset_";
    private static final String USAGE = FIGURES + "usage_cidrs";
    private static final String RELEASES = FIGURES + "cidrs_releases_total";
    private static final String ALLOCATIONS = FIGURES + "cidrs_allocations_total";
    private static final String IPV4 = "--cluster-cidr=10.244.0.0/16";

    private static @Nullable KubeApiServer server;
    private static @Nullable Path folder;

    @TempDir
    Path home;

    private final List<NodeAllocator> allocators = new ArrayList<>();
    private @Nullable ApiProxy proxy;
    private @Nullable KubernetesClient cluster;

    @BeforeAll
    static void startServer(@TempDir Path folderOfServer) throws Exception {
        folder = folderOfServer;
        // As servers before 1.36: it takes CIDRs in old spellings.
        server = KubeApiServer.start(folderOfServer, "--feature-gates=StrictIPCIDRValidation=false");
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void connect() throws Exception {
        cluster = Objects.requireNonNull(server).client();
        proxy = new ApiProxy(
                URI.create(cluster().getMasterUrl().toString()),
                Objects.requireNonNull(folder).resolve("certificates/apiserver.crt"));
    }

    @AfterEach
    void forgetStoredObjects() {
        allocators.forEach(NodeAllocator::close);
        proxy().close();
        for (var node : cluster().nodes().list().getItems()) {
            if (!node.getMetadata().getFinalizers().isEmpty()) {
                removeFinalizers(node.getMetadata().getName());
            }
        }
        cluster().nodes().delete();
        cluster().v1().events().inNamespace("default").delete();
        cluster().leases().inNamespace("kube-system").delete();
        cluster().close();
    }

    private KubernetesClient cluster() {
        return Objects.requireNonNull(cluster);
    }

    private ApiProxy proxy() {
        return Objects.requireNonNull(proxy);
    }

    /// A controller that may assign, or says why it does not.
    private NodeAllocator allocator(String... flags) throws Exception {
        var allocator = start("a", flags);
        allocator.awaitErr("a leads");
        return allocator;
    }

    private NodeAllocator start(String identity, String... flags) throws Exception {
        var shell = Shell.at(home)
                .with("DATASTORE_TYPE", "kubernetes")
                .with("KUBECONFIG", proxy().kubeconfig(home, "admin-token").toString())
                .with("CADASTRE_KUBERNETES_QPS", "10000")
                .with("CADASTRE_KUBERNETES_BURST", "10000")
                .with("XDG_STATE_HOME", home.resolve("state-" + identity).toString());
        var all = new ArrayList<>(List.of("--controllers=nodeipam"));
        all.addAll(List.of(flags));
        var allocator = NodeAllocator.start(home, shell.environment(), identity, all.toArray(String[]::new));
        allocators.add(allocator);
        return allocator;
    }

    /// As a kubelet does, with a label: the server notes the managers of fields for objects that came with some.
    private void addNode(String name, String... podCidrs) {
        var builder = new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("kubernetes.io/hostname", name)
                .endMetadata();
        var node = podCidrs.length == 0
                ? builder.build()
                : builder.withNewSpec()
                        .withPodCIDR(podCidrs[0])
                        .withPodCIDRs(podCidrs)
                        .endSpec()
                        .build();
        cluster().resource(node).create();
    }

    private void addOneAfterTheOther(String... names) {
        for (var name : names) {
            addNode(name);
            awaitAnyCidrs(name);
        }
    }

    private void setCidrs(String name, String cidr) {
        cluster()
                .nodes()
                .withName(name)
                .edit(node -> new NodeBuilder(node)
                        .editOrNewSpec()
                        .withPodCIDR(cidr)
                        .withPodCIDRs(cidr)
                        .endSpec()
                        .build());
    }

    private void touch(String name, String time) {
        cluster()
                .nodes()
                .withName(name)
                .edit(node -> new NodeBuilder(node)
                        .editMetadata()
                        .addToAnnotations("time", time)
                        .endMetadata()
                        .build());
    }

    private void addFinalizer(String name) {
        cluster()
                .nodes()
                .withName(name)
                .edit(node -> new NodeBuilder(node)
                        .editMetadata()
                        .addToFinalizers("cadastre.test/keeps")
                        .endMetadata()
                        .build());
    }

    private void removeFinalizers(String name) {
        cluster()
                .nodes()
                .withName(name)
                .edit(node -> new NodeBuilder(node)
                        .editMetadata()
                        .withFinalizers(List.of())
                        .endMetadata()
                        .build());
    }

    private void deleteNode(String name) {
        cluster().nodes().withName(name).delete();
    }

    private Node node(String name) {
        return cluster().nodes().withName(name).require();
    }

    private List<String> cidrs(String name) {
        return node(name).getSpec().getPodCIDRs();
    }

    private void awaitCidrs(String name, String... podCidrs) {
        await().atMost(PATIENCE)
                .pollInterval(POLL)
                .untilAsserted(() -> assertThat(cidrs(name)).as(name).containsExactly(podCidrs));
        assertThat(node(name).getSpec().getPodCIDR()).isEqualTo(podCidrs[0]);
    }

    private void awaitAnyCidrs(String name) {
        await().atMost(PATIENCE).pollInterval(POLL).until(() -> !cidrs(name).isEmpty());
    }

    private List<Event> events(String name) {
        return cluster().v1().events().inNamespace("default").list().getItems().stream()
                .filter(event -> name.equals(event.getInvolvedObject().getName()))
                .toList();
    }

    private Event awaitEvent(String name, String reason) {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(events(name)).extracting(Event::getReason).contains(reason));
        return events(name).stream()
                .filter(event -> event.getReason().equals(reason))
                .findFirst()
                .orElseThrow();
    }

    private static String body(String first, String... more) {
        var all = new StringBuilder("\"%s\"".formatted(first));
        for (var cidr : more) {
            all.append(",\"%s\"".formatted(cidr));
        }
        return "{\"spec\":{\"podCIDR\":\"%s\",\"podCIDRs\":[%s]}}".formatted(first, all);
    }

    private static Patch patch(String node, String first, String... more) {
        return new Patch("/api/v1/nodes/" + node, "application/strategic-merge-patch+json", body(first, more));
    }

    @Test
    void nc01nc02nc40nc03nc41NodesGetTheBlocksInOrderAndANewLeaderBeginsAtTheFirstFreeOne() throws Exception {
        var allocator = allocator(IPV4);
        addOneAfterTheOther("a", "b", "c");
        allocator.awaitIdle();

        assertThat(proxy().patches())
                .containsExactly(patch("a", "10.244.0.0/24"), patch("b", "10.244.1.0/24"), patch("c", "10.244.2.0/24"));
        assertThat(proxy().queries()).containsOnly("timeout=2s");
        var label = "{clusterCIDR=\"10.244.0.0/16\"}";
        var metrics = allocator.page("/metrics").body();
        assertThat(metrics.lines())
                .contains(
                        ALLOCATIONS + label + " 3",
                        "node_ipam_controller_cirdset_max_cidrs" + label + " 256",
                        USAGE + label + " " + 3 / 256.0,
                        FIGURES + "allocation_tries_per_request_sum" + label + " 0",
                        FIGURES + "allocation_tries_per_request_count" + label + " 3",
                        "# TYPE " + FIGURES + "allocation_tries_per_request histogram",
                        "running_managed_controllers{name=\"nodeipam\",manager=\"kube-controller-manager\"} 1")
                .noneMatch(line -> line.startsWith(RELEASES));
        assertThat(metrics)
                .contains(FIGURES + "allocation_tries_per_request_bucket{clusterCIDR=\"10.244.0.0/16\",le=\"1\"} 3\n");

        deleteNode("b");
        allocator.awaitFigure(RELEASES, "1");
        addNode("d");
        awaitCidrs("d", "10.244.3.0/24");

        var second = start("b", IPV4);
        second.awaitErr("waiting: a leads");
        second.awaitReady();
        assertThat(second.figure(USAGE)).isEmpty();
        allocator.terminate();
        second.awaitErr("b leads");
        addNode("e");
        awaitCidrs("e", "10.244.1.0/24");
        second.awaitIdle();

        assertThat(proxy().patched()).containsExactly("a", "b", "c", "d", "e");
        assertThat(cidrs("a")).containsExactly("10.244.0.0/24");
        assertThat(cidrs("c")).containsExactly("10.244.2.0/24");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        nc04 | 10.244.0.0/16,fd00:10:244::/56 | 10.244.0.0/24    | fd00:10:244::/64
        nc05 | fd00:10:244::/56,10.244.0.0/16 | fd00:10:244::/64 | 10.244.0.0/24
        """)
    void nc04nc05DualStackNodeHasTheOrderOfTheClusterCidrs(
            String scenario, String clusterCidr, String first, String second) throws Exception {
        allocator("--cluster-cidr=" + clusterCidr);

        addNode(scenario);

        awaitCidrs(scenario, first, second);
        assertThat(proxy().patches()).containsExactly(patch(scenario, first, second));
    }

    @Test
    void nc08nc29NodesWithCidrsKeepThemAndAnOlderBiggerOneTakesAllItsBlocks() throws Exception {
        addNode("n0", "10.244.0.0/22");
        addNode("n1", "10.244.5.0/24");
        addNode("n2");
        addNode("n3");

        allocator(IPV4);
        awaitAnyCidrs("n2");
        awaitAnyCidrs("n3");

        assertThat(List.of(cidrs("n2").getFirst(), cidrs("n3").getFirst()))
                .containsExactlyInAnyOrder("10.244.4.0/24", "10.244.6.0/24");
        assertThat(proxy().patched()).containsExactlyInAnyOrder("n2", "n3");
    }

    @Test
    void nc28CidrInAnOldSpellingOccupiesItsBlock() throws Exception {
        addNode("old", "010.010.000.000/24");
        var allocator = allocator("--cluster-cidr=10.10.0.0/16");

        addOneAfterTheOther("next");

        assertThat(cidrs("next")).containsExactly("10.10.1.0/24");
        assertThat(cidrs("old")).containsExactly("010.010.000.000/24");
        assertThat(allocator.page("/readyz").statusCode()).isEqualTo(200);
    }

    @Test
    void nc09nc10NodeWithoutAFreeBlockHasAnEventAndGetsTheFirstThatBecomesFree() throws Exception {
        for (int owner = 0; owner < 4; owner++) {
            addNode("o" + owner, "127.123.234.%d/30".formatted(4 * owner));
        }
        var allocator = allocator("--cluster-cidr=127.123.234.0/28", "--node-cidr-mask-size=30");

        addNode("fifth");
        var event = awaitEvent("fifth", "CIDRNotAvailable");
        assertThat(event.getType()).isEqualTo("Normal");
        assertThat(event.getMessage()).isEqualTo("Node fifth status is now: CIDRNotAvailable");
        assertThat(event.getSource().getComponent()).isEqualTo("cidrAllocator");
        assertThat(event.getInvolvedObject().getKind()).isEqualTo("Node");
        assertThat(event.getInvolvedObject().getNamespace()).isNull();
        assertThat(event.getInvolvedObject().getUid())
                .isEqualTo(node("fifth").getMetadata().getUid());
        await().atMost(PATIENCE).until(() -> events("fifth").getFirst().getCount() >= 2);
        assertThat(events("fifth")).hasSize(1);
        allocator.awaitErr("error syncing 'fifth': failed to allocate cidr from cluster cidr at idx:0: CIDR allocation"
                + " failed; there are no remaining CIDRs left to allocate in the accepted range, requeuing");
        assertThat(proxy().patches()).isEmpty();
        deleteNode("o1");

        awaitCidrs("fifth", "127.123.234.4/30");
    }

    @Test
    void nc12SecondServiceRangeIsKeptFree() throws Exception {
        allocator("--cluster-cidr=10.0.0.0/16,fd00:1::/48", "--service-cluster-ip-range=10.96.0.0/16,fd00:1::/108");

        addNode("a");

        awaitCidrs("a", "10.0.0.0/24", "fd00:1:0:1::/64");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        nc14 | 172.10.0.0/24         | failed to mark cidr[172.10.0.0/24] at idx [0] as occupied for node: bad: cidr \
        172.10.0.0/24 is out the range of cluster cidr 10.10.0.0/16
        nc16 | 10.10.0.0/24 a00::/86 | node:bad has an allocated cidr: a00::/86 at index:1 that does not exist in \
        cluster cidrs configuration
        """)
    void nc14nc16WhileANodeDoesNotFitNothingIsGivenAndReadyzSaysWhy(String scenario, String cidrs, String sentence)
            throws Exception {
        addNode("bad", cidrs.split(" "));
        addNode("a");
        var allocator = allocator("--cluster-cidr=10.10.0.0/16");
        allocator.awaitErr("no CIDR is given to any Node until this is mended: " + sentence);

        var shut = allocator.page("/readyz?verbose");
        assertThat(shut.statusCode()).as(scenario).isEqualTo(500);
        assertThat(shut.body()).contains("[-]node-ipam-controller failed: " + sentence);
        assertThat(proxy().patches()).isEmpty();
        deleteNode("bad");
        awaitCidrs("a", "10.10.0.0/24");

        assertThat(allocator.page("/readyz?verbose").body())
                .isEqualTo("[+]ping ok\n[+]in-sync ok\n[+]node-ipam-controller ok\nreadyz check passed\n");
    }

    @Test
    void nodeOfMoreThanAMebibyteKeepsItsCidr() throws Exception {
        var first = allocator("--cluster-cidr=10.244.0.0/23");
        addNode("a");
        awaitCidrs("a", "10.244.0.0/24");
        var image = "i".repeat(12_000);
        cluster()
                .nodes()
                .withName("a")
                .editStatus(node -> new NodeBuilder(node)
                        .editOrNewStatus()
                        .withImages(IntStream.range(0, 100)
                                .mapToObj(index -> new ContainerImageBuilder()
                                        .withNames(image + index)
                                        .build())
                                .toList())
                        .endStatus()
                        .build());
        first.close();

        allocator("--cluster-cidr=10.244.0.0/23");
        addNode("b");

        awaitCidrs("b", "10.244.1.0/24");
    }

    @Test
    void nc15NodeThatJoinsWithAForeignCidrIsLeftAloneAndOthersAreServed() throws Exception {
        var allocator = allocator("--cluster-cidr=10.10.0.0/16");
        addOneAfterTheOther("a");

        addNode("foreign", "172.10.0.0/24");
        allocator.awaitErr("error syncing 'foreign': failed to mark cidr[172.10.0.0/24] at idx [0] as occupied for"
                + " node: foreign: cidr 172.10.0.0/24 is out the range of cluster cidr 10.10.0.0/16, requeuing");
        addOneAfterTheOther("b");

        assertThat(proxy().patched()).containsExactly("a", "b");
        assertThat(allocator.page("/readyz").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource(
            value = PlannedReply.class,
            names = {"CODE_500", "CODE_504"})
    void nc18BrokenServerIsAskedThreeTimesAndTheNextAttemptTakesTheNextBlock(PlannedReply broken) throws Exception {
        var allocator = allocator(IPV4);
        proxy().plan(broken, broken, broken);

        addNode("a");
        awaitCidrs("a", "10.244.1.0/24");

        assertThat(proxy().patches())
                .containsExactly(
                        patch("a", "10.244.0.0/24"),
                        patch("a", "10.244.0.0/24"),
                        patch("a", "10.244.0.0/24"),
                        patch("a", "10.244.1.0/24"));
        assertThat(awaitEvent("a", "CIDRAssignmentFailed").getMessage())
                .isEqualTo("Node a status is now: CIDRAssignmentFailed");
        allocator.awaitFigure(USAGE, Double.toString(1 / 256.0));
    }

    @Test
    void nc19WriteWhoseAnswersAreLostIsSentAgainAndOneBlockIsUsed() throws Exception {
        var allocator = allocator(IPV4);
        proxy().plan(PlannedReply.ANSWER_LOST, PlannedReply.ANSWER_LOST);

        addNode("a");
        await().atMost(PATIENCE).until(() -> proxy().patches().size() == 3);
        addOneAfterTheOther("b");
        allocator.awaitIdle();

        assertThat(cidrs("a")).containsExactly("10.244.0.0/24");
        assertThat(cidrs("b")).containsExactly("10.244.1.0/24");
        assertThat(proxy().patchesOf("a")).hasSize(3).containsOnly(body("10.244.0.0/24"));
        allocator.awaitFigure(USAGE, Double.toString(2 / 256.0));
        assertThat(events("a")).isEmpty();
    }

    @Test
    void nc20NodeThatAnotherWriterServedKeepsWhatItHasAndTheProposedBlockIsFree() throws Exception {
        var allocator = allocator("--cluster-cidr=10.10.0.0/23");
        allocator.awaitReady();
        proxy().holdPatches();
        addNode("a");
        await().atMost(PATIENCE).until(() -> proxy().underWay() == 1);
        proxy().holdWatches();
        setCidrs("a", "10.10.1.0/24");
        proxy().passPatches();

        allocator.awaitErr("node a already has 10.10.1.0/24, given by field manager '");
        allocator.awaitFigure(USAGE, "0.5");
        proxy().passWatches();
        addNode("b");

        awaitCidrs("b", "10.10.0.0/24");
        assertThat(proxy().patchesOf("a")).containsExactly(body("10.10.0.0/24"));
        assertThat(cidrs("a")).containsExactly("10.10.1.0/24");
        assertThat(events("a")).isEmpty();
    }

    @Test
    void nc21NodeThatHasTheProposedListMeanwhileKeepsItAndTheBlockIsItsOwn() throws Exception {
        var allocator = allocator("--cluster-cidr=10.10.0.0/23");
        allocator.awaitReady();
        proxy().holdPatches();
        addNode("a");
        await().atMost(PATIENCE).until(() -> proxy().underWay() == 1);

        setCidrs("a", "10.10.0.0/24");
        proxy().passPatches();
        addOneAfterTheOther("b");
        allocator.awaitIdle();

        assertThat(cidrs("a")).containsExactly("10.10.0.0/24");
        assertThat(cidrs("b")).containsExactly("10.10.1.0/24");
        assertThat(proxy().patched()).containsExactly("a", "b");
        assertThat(events("a")).isEmpty();
        assertThat(allocator.figure(RELEASES)).isEmpty();
    }

    @Test
    void nodeThatJoinsWithCidrsIsNotWritten() throws Exception {
        allocator(IPV4).awaitReady();

        addNode("has", "10.244.0.0/24");
        addOneAfterTheOther("b");

        assertThat(proxy().patched()).containsExactly("b");
        assertThat(cidrs("b")).containsExactly("10.244.1.0/24");
    }

    @Test
    void nc22NodeThatIsDeletedBeforeThePatchArrivesIsNotWrittenAgain() throws Exception {
        var allocator = allocator("--cluster-cidr=10.10.0.0/24");
        allocator.awaitReady();
        proxy().holdPatches();
        addNode("a");
        await().atMost(PATIENCE).until(() -> proxy().underWay() == 1);

        deleteNode("a");
        proxy().passPatches();
        addOneAfterTheOther("b");
        allocator.awaitIdle();

        assertThat(proxy().patched()).containsExactly("a", "b");
        assertThat(cidrs("b")).containsExactly("10.10.0.0/24");
        assertThat(events("a")).isEmpty();
    }

    @Test
    void nc23nc24NodeThatFinalizersKeepKeepsItsBlockAndGetsNone() throws Exception {
        addNode("dying", "10.10.0.0/24");
        addNode("without");
        for (var name : List.of("dying", "without")) {
            addFinalizer(name);
            deleteNode(name);
        }
        allocator("--cluster-cidr=10.10.0.0/23");

        addNode("a");
        awaitCidrs("a", "10.10.1.0/24");
        addNode("b");
        awaitEvent("b", "CIDRNotAvailable");
        assertThat(node("dying").getMetadata().getDeletionTimestamp()).isNotNull();
        removeFinalizers("dying");

        awaitCidrs("b", "10.10.0.0/24");
        assertThat(proxy().patched()).containsExactly("a", "b");
        assertThat(cidrs("without")).isEmpty();
    }

    @Test
    void nc25NodeThatIsDeletedWhileTheWatchIsInterruptedGivesItsBlockBack() throws Exception {
        addNode("a", "10.10.0.0/24");
        addNode("b", "10.10.1.0/24");
        var allocator = allocator("--cluster-cidr=10.10.0.0/23");
        addNode("c");
        awaitEvent("c", "CIDRNotAvailable");

        proxy().holdWatches();
        deleteNode("a");
        proxy().expireWatches();

        awaitCidrs("c", "10.10.0.0/24");
        assertThat(allocator.figure(RELEASES)).endsWith(" 1");
    }

    @Test
    void nc26nc27TwoHundredNodesAtOnceAndThousandUpdates() throws Exception {
        var allocator = allocator(IPV4, "--kube-api-qps=10000", "--kube-api-burst=10000");
        allocator.awaitReady();
        proxy().holdPatches();
        var names = IntStream.range(0, 200).mapToObj("node-%d"::formatted).toList();

        names.forEach(this::addNode);
        await().atMost(PATIENCE).until(() -> proxy().underWay() == 30);
        proxy().passPatches();
        names.forEach(this::awaitAnyCidrs);
        allocator.awaitFigure(USAGE, Double.toString(200 / 256.0));
        assertThat(names.stream().map(this::cidrs).distinct()).hasSize(200);
        assertThat(proxy().patches()).hasSize(200);
        assertThat(proxy().underWayMax()).isEqualTo(30);

        IntStream.range(0, 1000).forEach(time -> touch("node-0", Integer.toString(time)));
        addOneAfterTheOther("last");
        allocator.awaitIdle();

        assertThat(proxy().patches()).hasSize(201);
        assertThat(allocator.figure(ALLOCATIONS)).endsWith(" 201");
        assertThat(allocator.figure(RELEASES)).isEmpty();
    }

    @Test
    void writesAreAsFastAsKubeApiQpsAllows() throws Exception {
        var allocator = allocator(IPV4, "--kube-api-qps=5", "--kube-api-burst=5");
        allocator.awaitReady();

        long began = System.nanoTime();
        IntStream.range(0, 15).mapToObj("node-%d"::formatted).forEach(this::addNode);
        IntStream.range(0, 15).mapToObj("node-%d"::formatted).forEach(this::awaitAnyCidrs);

        // Five at once, and ten more at five each second.
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(1_900));
    }

    /// As upstream does: a patch waits for its permit longer than a call may take, and that is no failure.
    @Test
    void nodesThatJoinAtOnceGetTheNextBlocksHoweverLowKubeApiQpsIs() throws Exception {
        var allocator = allocator(IPV4, "--kube-api-qps=1", "--kube-api-burst=1");
        allocator.awaitReady();
        var names = IntStream.range(0, 20).mapToObj("node-%d"::formatted).toList();

        names.forEach(this::addNode);
        names.forEach(this::awaitAnyCidrs);

        assertThat(names.stream().flatMap(name -> cidrs(name).stream()))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 20)
                        .mapToObj("10.244.%d.0/24"::formatted)
                        .toList());
        assertThat(cluster().v1().events().inNamespace("default").list().getItems())
                .noneMatch(event -> event.getReason().equals("CIDRAssignmentFailed"));
    }

    @Test
    void nodesAreShownAndAnAssignmentIsExplained() throws Exception {
        addNode("a", "10.244.0.0/24");
        addNode("b");
        addNode("c", "10.9.0.0/24");
        var shell = Shell.at(home)
                .with("DATASTORE_TYPE", "kubernetes")
                .with("KUBECONFIG", proxy().kubeconfig(home, "admin-token").toString());

        var shown = shell.run("node-cidr", "show", IPV4);
        var explained = shell.run("explain", "node-cidr", "add", "b", IPV4);

        assertThat(shown.out()).isEqualTo("""
            NODE   CIDR
            a      10.244.0.0/24
            b      -
            c      10.9.0.0/24

            CLUSTER         MASK   SIZE   USED   FREE   CURSOR
            10.244.0.0/16   /24    256    1      255    -
            """);
        assertThat(shown.err()).contains("occupied for node: c: cidr 10.9.0.0/24 is out the range of cluster cidr");
        assertThat(explained.exitCode()).isZero();
        assertThat(explained.out()).startsWith("node b would be given 10.244.1.0/24\n");
        assertThat(explained.err()).contains("this is what a controller that has just begun would do");
        assertThat(cidrs("b")).isEmpty();
    }

    @Test
    void clusterThatLacksClusterCidrsIsNamedAndTriedAgain() throws Exception {
        addNode("a");

        var allocator = allocator("--cidr-allocator-type=MultiCIDRRangeAllocator");

        allocator.awaitErr("clustercidrs");
        assertThat(allocator.page("/readyz").statusCode()).isEqualTo(500);
        assertThat(allocator.page("/readyz").body()).contains("not read yet: clustercidrs");
        assertThat(cidrs("a")).isEmpty();
    }
}
