package io.cadastre.datastore.kubernetes;

import static io.cadastre.datastore.kubernetes.FaultyApi.answer;
import static io.cadastre.datastore.kubernetes.FaultyApi.cut;
import static io.cadastre.datastore.kubernetes.FaultyApi.hang;
import static io.cadastre.datastore.kubernetes.FaultyApi.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.PeerProcess;
import io.cadastre.datastore.Watch.Notice;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.kubernetes.FaultyApi.Asked;
import io.cadastre.datastore.kubernetes.FaultyApi.Behaviour;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// When a server that speaks HTTP/1.1 is probed, and when its connections are replaced.
class ProbeTest {

    private static final Duration SHORT = Duration.ofSeconds(3);
    private static final Duration AMPLE = Duration.ofSeconds(30);

    /// Probes early and replaces early.
    private static final ProbeLimits EAGER = limits(Duration.ofSeconds(1));

    /// Probes early and replaces late.
    private static final ProbeLimits PATIENT = limits(AMPLE);

    private final CountedTransports transports = new CountedTransports();

    @TempDir
    Path directory;

    @Test
    void serverThatAnswersProbesKeepsItsConnectionsHoweverManyCallsTimeOut() throws Exception {
        try (var api = new FaultyApi(answer(200, object("a", 7)), hang());
                var store = open(api, SHORT, PATIENT)) {
            store.get("a");

            var failures = failures(40, store);

            assertThat(failures).hasSize(40).containsOnly(Kind.DEADLINE);
            assertThat(transports.made()).isEqualTo(1);
            assertThat(api.probes()).isEqualTo(1);
        }
    }

    @Test
    void callIsAnsweredLateByASlowServer() throws Exception {
        var probed = new CountDownLatch(1);
        Behaviour slow = (exchange, api) -> {
            probed.await();
            answer(200, object("a", 8)).handle(exchange, api);
        };
        try (var api = new FaultyApi(answer(200, object("a", 7)), slow).whenProbed((exchange, served) -> {
                    probed.countDown();
                    answer(200, "ok").handle(exchange, served);
                });
                var store = open(api, AMPLE, PATIENT)) {
            store.get("a");

            var found = store.get("a");

            assertThat(found).contains(new Document("a", Bytes.ofUtf8("1"), 8));
            assertThat(api.asked()).hasSize(2);
            assertThat(transports.made()).isEqualTo(1);
        }
    }

    @Test
    void probeThatIsRefusedIsAnAnswer() throws Exception {
        try (var api = new FaultyApi(answer(200, object("a", 7)), hang()).whenProbed(answer(403, "no"));
                var store = open(api, SHORT, PATIENT)) {
            store.get("a");

            var failures = failures(1, store);

            assertThat(failures).containsExactly(Kind.DEADLINE);
            assertThat(api.probes()).isEqualTo(1);
            assertThat(transports.made()).isEqualTo(1);
        }
    }

    @Test
    void probeWhoseConnectionBreaksIsNotSilence() throws Exception {
        try (var api = new FaultyApi(answer(200, object("a", 7)), hang()).whenProbed(cut());
                var store = open(api, SHORT, PATIENT)) {
            store.get("a");

            var failures = failures(1, store);

            assertThat(failures).containsExactly(Kind.DEADLINE);
            assertThat(api.probes()).isPositive();
            assertThat(transports.made()).isEqualTo(1);
        }
    }

    @Test
    void serverWhoseOtherAnswersComeIsAlive() throws Exception {
        var probe = new CountDownLatch(1);
        var trickling = new CountDownLatch(1);
        Behaviour trickle = (exchange, api) -> {
            exchange.sendResponseHeaders(200, 0);
            try (var body = exchange.getResponseBody()) {
                probe.await();
                // Ends: the client goes when the test closes the store.
                while (trickling.getCount() > 0) {
                    body.write(' ');
                    body.flush();
                    trickling.await(50, TimeUnit.MILLISECONDS);
                }
            }
        };
        try (var api = new FaultyApi(answer(200, object("a", 7)), trickle).whenProbed((exchange, served) -> {
                    probe.countDown();
                    hang().handle(exchange, served);
                });
                var store = open(api, SHORT, EAGER)) {
            store.get("a");

            var failures = failures(1, store);
            trickling.countDown();

            assertThat(failures).containsExactly(Kind.DEADLINE);
            assertThat(transports.made()).isEqualTo(1);
        }
    }

    @Test
    void deadServerEndsReadsAndWritesUnderWayAndReadsAreSentAgain() throws Exception {
        var reads = new AtomicInteger();
        Behaviour deadAtFirst = (exchange, api) -> {
            boolean read = exchange.getRequestMethod().equals("GET");
            boolean answered = read && reads.incrementAndGet() != 2;
            (answered ? answer(200, object("a", 7)) : hang()).handle(exchange, api);
        };
        try (var api = new FaultyApi(deadAtFirst).whenProbed(hang());
                var store = open(api, AMPLE, EAGER);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            store.get("a");

            var writing = threads.submit(() -> store.commit(List.of(new Write.Create("b", Bytes.ofUtf8("1")))));
            var reading = threads.submit(() -> store.get("a"));

            assertThat(writing.get(AMPLE.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(Commit.Unknown.class);
            assertThat(reading.get(AMPLE.toSeconds(), TimeUnit.SECONDS))
                    .contains(new Document("a", Bytes.ofUtf8("1"), 7));
            assertThat(api.asked()).extracting(Asked::method).containsExactlyInAnyOrder("GET", "GET", "GET", "POST");
        }
    }

    /// A write to a server that cannot be reached is known to be unsent when the time to connect is over.
    @Test
    void transportThatHasNeverAnsweredIsProbedOnlyAfterACallHasEnded() throws Exception {
        try (var api = new FaultyApi(hang()).whenProbed(hang());
                var store = open(api, SHORT, EAGER)) {

            var commit = store.commit(List.of(new Write.Create("a", Bytes.ofUtf8("1"))));
            await().atMost(AMPLE).until(() -> transports.made() == 2);

            assertThat(commit)
                    .isInstanceOfSatisfying(
                            Commit.Unknown.class,
                            unknown -> assertThat(unknown.reason()).contains("did not answer within 3 s"));
        }
    }

    @Test
    void clearTextIsNotUpgradedToHttp2() throws Exception {
        var upgrades = new AtomicInteger();
        Behaviour watched = (exchange, api) -> {
            if (exchange.getRequestHeaders().containsKey("Upgrade")) {
                upgrades.incrementAndGet();
            }
            answer(200, object("a", 7)).handle(exchange, api);
        };
        try (var api = new FaultyApi(watched);
                var store = open(api, AMPLE, PATIENT)) {

            var found = store.get("a");

            assertThat(found).isPresent();
            assertThat(upgrades).hasValue(0);
        }
    }

    @Test
    void serverThatSpeaksOnlyHttp1OverTlsIsReadWrittenAndWatched() throws Exception {
        var event = "{\"type\":\"ADDED\",\"object\":%s}\n".formatted(object("a", 41));
        try (var api = FaultyApi.overTls(
                        selfSigned(),
                        answer(200, object("a", 7)),
                        answer(201, object("b", 8)),
                        answer(200, event),
                        hang());
                var store = open(api, AMPLE, PATIENT)) {

            var found = store.get("a");
            var commit = store.commit(List.of(new Write.Create("b", Bytes.ofUtf8("1"))));
            try (var watch = store.watch("", 5)) {
                var notice = watch.next(AMPLE);

                assertThat(found).isPresent();
                assertThat(commit).isEqualTo(new Commit.Done(List.of(8L)));
                assertThat(((Notice.Changed) notice).revision()).isEqualTo(41);
            }
        }
    }

    @Test
    void deadConnectionsOfHttp1AreReplaced() throws Exception {
        try (var api = FaultyApi.overTls(selfSigned(), answer(200, object("a", 7)));
                var proxy = new DyingProxy(api.port());
                var store = transports.open(
                        api.settingsThrough(proxy.port(), directory).withCallLimit(AMPLE),
                        DocumentsMap.in("n"),
                        EAGER);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var opening = IntStream.range(0, 10)
                    .mapToObj(_ -> threads.submit(() -> store.get("a")))
                    .toList();
            for (var call : opening) {
                call.get(AMPLE.toSeconds(), TimeUnit.SECONDS);
            }

            int dead = proxy.kill();
            var found = store.get("a");

            assertThat(dead).isGreaterThan(1);
            assertThat(found).isPresent();
            assertThat(transports.made()).isEqualTo(2);
        }
    }

    @Test
    void watchWhoseReaderIsSlowIsEndedAndGoesOnWhereItsReaderIs() throws Exception {
        int last = 40;
        var megabyte = "x".repeat(1 << 20);
        var broken = new AtomicInteger();
        Behaviour fromTheRevision = (exchange, api) -> {
            var query = exchange.getRequestURI().getQuery();
            int after = Integer.parseInt(query.replaceFirst(".*resourceVersion=(\\d+).*", "$1"));
            var events = IntStream.rangeClosed(after + 1, last)
                    .mapToObj(revision -> object("a" + revision, revision).replace("MQ==", megabyte))
                    .map("{\"type\":\"ADDED\",\"object\":%s}\n"::formatted)
                    .collect(Collectors.joining());
            try {
                (after == last ? hang() : answer(200, events)).handle(exchange, api);
            } catch (IOException ended) {
                broken.incrementAndGet();
            }
        };
        try (var api = new FaultyApi(fromTheRevision);
                var store = open(api, AMPLE, PATIENT);
                var watch = store.watch("", 5)) {
            var reported = new ArrayList<Long>();
            watch.next(Duration.ZERO);
            await().atMost(AMPLE).until(() -> broken.get() == 1);

            while (reported.size() < last - 5) {
                reported.add(((Notice.Changed) watch.next(AMPLE)).revision());
            }

            assertThat(reported)
                    .isEqualTo(IntStream.rangeClosed(6, last)
                            .mapToObj(Long::valueOf)
                            .toList());
        }
    }

    @Test
    void transportThatEndsTakesItsClientWithIt() throws Exception {
        try (var api = new FaultyApi(hang())) {
            var config = Configurations.of(api.settings(directory));
            var clients = new JdkHttpClientFactory().newBuilder(config);
            var connections = HttpClient.newHttpClient();
            var transport = new ApiTransport(clients.build(), connections);
            var lost = new ArrayList<String>();

            boolean begun = transport.begin(lost::add);
            transport.end("it is over");
            transport.end("it is over");
            boolean begunLater = transport.begin(lost::add);

            assertThat(begun).isTrue();
            assertThat(begunLater).isFalse();
            assertThat(lost).containsExactly("it is over");
            assertThat(connections.awaitTermination(AMPLE)).isTrue();
        }
    }

    private static ProbeLimits limits(Duration answer) {
        return new ProbeLimits(Duration.ofMillis(100), AMPLE, answer, Duration.ofSeconds(5));
    }

    private KubernetesDatastore open(FaultyApi api, Duration callLimit, ProbeLimits limits) throws IOException {
        return transports.open(api.settings(directory).withCallLimit(callLimit), DocumentsMap.in("n"), limits);
    }

    /// How as many reads at once fail.
    private static List<Kind> failures(int count, KubernetesDatastore store) throws Exception {
        var kinds = new ArrayList<Kind>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = IntStream.range(0, count)
                    .mapToObj(_ ->
                            threads.submit(() -> catchThrowableOfType(DatastoreException.class, () -> store.get("a"))
                                    .kind()))
                    .toList();
            for (var call : calls) {
                kinds.add(call.get(AMPLE.toSeconds(), TimeUnit.SECONDS));
            }
        }
        return kinds;
    }

    private SSLContext selfSigned() throws Exception {
        var file = directory.resolve("server.p12");
        PeerProcess.run(new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "server",
                "-dname",
                "CN=127.0.0.1",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                "changeit",
                "-keystore",
                file.toString()));
        var password = "changeit".toCharArray();
        var keys = KeyStore.getInstance("PKCS12");
        try (var stored = Files.newInputStream(file)) {
            keys.load(stored, password);
        }
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, password);
        var context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }
}
