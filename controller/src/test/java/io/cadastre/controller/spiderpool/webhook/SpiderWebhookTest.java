package io.cadastre.controller.spiderpool.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.spiderpool.webhook.WebhookSettings.Place;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The webhooks with all their threads, over HTTPS, on one store in memory.
@Timeout(180)
class SpiderWebhookTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String API = "-spiderpool-spidernet-io-v2beta1-";
    private static final String SECRET = CoreKeys.SECRETS + "kube-system/" + WebhookKeys.SECRET;
    private static final List<String> CONFIGURATIONS = List.of(
            CoreKeys.MUTATING_WEBHOOKS + WebhookConfigurations.NAME,
            CoreKeys.VALIDATING_WEBHOOKS + WebhookConfigurations.NAME);

    private final MemoryDatastore store = new MemoryDatastore();
    private final AtomicReference<Instant> now =
            new AtomicReference<>(InstantSource.system().instant());
    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final List<SpiderWebhook> running = new ArrayList<>();

    @AfterEach
    void stop() {
        running.forEach(SpiderWebhook::close);
    }

    // ---- fixtures ----

    private SpiderWebhook start(Datastore seen, Place place, String conf) {
        var context = new ControllerContext(
                seen,
                new Ledger(new MemoryJournal()),
                now::get,
                System::nanoTime,
                new SplittableRandom(1),
                Thread::sleep,
                reports::add);
        var settings = SpiderpoolSettings.of("conf.yml", Json.readObject("conf", Bytes.ofUtf8(conf)), Map.of());
        var webhook = new SpiderWebhook(
                context,
                WebhookSettings.of(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), place, "kube-system", settings),
                Duration.ofMillis(50));
        running.add(webhook);
        webhook.start();
        return webhook;
    }

    private SpiderWebhook start() {
        var webhook = start(store, new Place.Url(URI.create("https://127.0.0.1:1")), "{}");
        await().atMost(PATIENCE).until(() -> webhook.fault().isEmpty());
        return webhook;
    }

    private void lead(SpiderWebhook webhook) {
        webhook.elected(new FencedDatastore(store, () -> true, "test", 0));
    }

    private ObjectNode stored(String key) {
        return Json.readObject(key, store.get(key).orElseThrow().value());
    }

    private void put(String key, String json) {
        var write = store.get(key)
                .<Write>map(document -> new Write.Update(key, Bytes.ofUtf8(json), document.revision()))
                .orElseGet(() -> new Write.Create(key, Bytes.ofUtf8(json)));
        assertThat(store.commit(List.of(write))).isInstanceOf(Commit.Done.class);
    }

    private WebhookSecret secret() {
        return WebhookSecret.read(SECRET, store.get(SECRET).orElseThrow().value());
    }

    /// A client that trusts what the configurations name, as the API server does.
    private static SSLContext trusting(String authorities) {
        try {
            var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (var certificate : CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(authorities.getBytes(StandardCharsets.US_ASCII)))) {
                trusted.setCertificateEntry("a" + trusted.size(), certificate);
            }
            var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            var context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private HttpResponse<String> send(SpiderWebhook webhook, String path, HttpRequest.Builder request) {
        return send(webhook, path, request, secret().authorityPem());
    }

    private static HttpResponse<String> send(
            SpiderWebhook webhook, String path, HttpRequest.Builder request, String authorities) {
        var uri =
                URI.create("https://127.0.0.1:%d%s".formatted(webhook.address().getPort(), path));
        try (var client =
                HttpClient.newBuilder().sslContext(trusting(authorities)).build()) {
            return client.send(request.uri(uri).build(), BodyHandlers.ofString());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private HttpResponse<String> post(SpiderWebhook webhook, String path, String body) {
        return send(webhook, path, HttpRequest.newBuilder().POST(BodyPublishers.ofString(body)));
    }

    private static String review(String kind, String name, String spec) {
        return """
            {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u1","operation":"CREATE",
             "kind":{"group":"spiderpool.spidernet.io","version":"v2beta1","kind":"%1$s"},"name":"%2$s","dryRun":true,
             "object":{"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"%1$s",
              "metadata":{"name":"%2$s"},"spec":%3$s},"oldObject":null}}
            """.formatted(kind, name, spec);
    }

    private ObjectNode response(SpiderWebhook webhook, String path, String body) {
        var answer = post(webhook, path, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
        return (ObjectNode)
                Json.readObject("answer", Bytes.ofUtf8(answer.body())).path("response");
    }

    private static ObjectNode pool(String name, String spec) {
        return Json.readObject(name, Bytes.ofUtf8("""
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderIPPool","metadata":{"name":"%s"},"spec":%s}
            """.formatted(name, spec)));
    }

    // ---- reviews ----

    @Test
    void everyProcessAnswersReviewsWithOneSecretAndWithoutWritingAnything() {
        var one = start();
        var other = start();
        var before = store.listAll("/");

        for (var webhook : List.of(one, other)) {
            var mutated = response(
                    webhook,
                    "/mutate" + API + "spiderippool",
                    review("SpiderIPPool", "p", "{\"subnet\":\"10.6.0.0/24\"}"));
            var judged = response(
                    webhook,
                    "/validate" + API + "spiderippool",
                    review("SpiderIPPool", "p", "{\"subnet\":\"10.6.0.5/24\",\"ipVersion\":4}"));

            assertThat(mutated.path("uid").asText()).isEqualTo("u1");
            assertThat(mutated.path("allowed").asBoolean()).isTrue();
            assertThat(mutated.path("patchType").asText()).isEqualTo("JSONPatch");
            assertThat(judged.path("allowed").asBoolean()).isFalse();
            assertThat(judged.at("/status/message").asText()).contains("please change it to 10.6.0.0/24");
        }

        assertThat(store.listAll("/").documents()).isEqualTo(before.documents());
        assertThat(Metric.text(one.figures()))
                .contains("cadastre_webhook_reviews_total{path=\"/validate%sspiderippool\",result=\"denied\"} 1"
                        .formatted(API))
                .contains("cadastre_webhook_certificate_expiry_timestamp_seconds "
                        + secret().server().until().getEpochSecond());
    }

    @Test
    @DisplayName("C08, C09: what is stored is read for each review")
    void whatIsStoredIsReadForEachReview() {
        var webhook = start();
        var review = review(
                "SpiderIPPool", "b", "{\"subnet\":\"10.6.0.0/24\",\"ipVersion\":4,\"ips\":[\"10.6.0.10-10.6.0.20\"]}");
        var path = "/validate" + API + "spiderippool";

        var alone = response(webhook, path, review);
        put(
                SpiderKeys.pool("a"),
                pool("a", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.10\"]}")
                        .toString());
        var overlapping = response(webhook, path, review);

        assertThat(alone.path("allowed").asBoolean()).isTrue();
        assertThat(overlapping.at("/status/message").asText()).contains("spec.ips: Forbidden: overlap with IPPool a");
    }

    /// What of Spiderpool's and of others was read since the last look.
    private record ReadStore(Datastore store, List<String> reads) implements ForwardingDatastore {
        @Override
        public Optional<Document> get(String key) {
            if (key.contains("spider") && !key.equals(SECRET)) {
                reads.add("get " + key.substring(key.lastIndexOf('/', key.lastIndexOf('/') - 1) + 1));
            }
            return store.get(key);
        }

        @Override
        public Listing list(String prefix, int limit) {
            reads.add(
                    prefix.startsWith("/cadastre/apis/spiderpool")
                            ? "list " + prefix.substring(prefix.lastIndexOf('/', prefix.length() - 2) + 1)
                            : "others");
            return store.list(prefix, limit);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        mutate   | SpiderIPPool     | {"subnet":"10.6.0.0/24","ips":["10.6.0.1"]}               | list spidersubnets/
        mutate   | SpiderSubnet     | {"subnet":"10.6.0.0/24","ips":["10.6.0.1"]}               | -
        mutate   | SpiderReservedIP | {"ips":["10.6.0.1"]}                                      | -
        validate | SpiderReservedIP | {"ipVersion":4,"ips":["10.6.0.1"]}                        | get spiderreservedips/x
        validate | SpiderIPPool     | {"ipVersion":4,"subnet":"10.6.0.0/24"}                    | get spiderippools/x,list spiderippools/
        validate | SpiderIPPool     | {"ipVersion":4,"subnet":"10.6.0.0/24","ips":["10.6.0.1"]} | get spiderippools/x,list spiderippools/,others
        validate | SpiderSubnet     | {"ipVersion":4,"subnet":"10.6.0.0/24"}                    | get spidersubnets/x,list spidersubnets/,list spiderippools/
        """)
    void whatARuleNeedsIsReadAndNothingElse(String question, String kind, String spec, String reads) {
        var reading = new ReadStore(store, new CopyOnWriteArrayList<>());
        var webhook = start(reading, new Place.Url(URI.create("https://127.0.0.1:1")), "{}");
        await().atMost(PATIENCE).until(() -> webhook.fault().isEmpty());
        reading.reads().clear();

        var answer = response(
                webhook, "/%s%s%s".formatted(question, API, kind.toLowerCase(Locale.ROOT)), review(kind, "x", spec));

        assertThat(answer.path("allowed").asBoolean()).as(answer.toString()).isTrue();
        assertThat(reading.reads().stream().distinct())
                .containsExactlyElementsOf(reads == null ? List.of() : List.of(reads.split(",")));
    }

    @Test
    void poolThatIsToGiveNothingFurtherIsNotComparedWithOtherDialects() {
        var reading = new ReadStore(store, new CopyOnWriteArrayList<>());
        var webhook = start(reading, new Place.Url(URI.create("https://127.0.0.1:1")), "{}");
        await().atMost(PATIENCE).until(() -> webhook.fault().isEmpty());
        reading.reads().clear();
        var spec = "{\"ipVersion\":4,\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1\"]%s}";
        var former = pool("x", spec.formatted("")).toString();

        var judged = response(
                webhook,
                "/validate" + API + "spiderippool",
                review("SpiderIPPool", "x", spec.formatted(",\"disable\":true"))
                        .replace("CREATE", "UPDATE")
                        .replace("\"oldObject\":null", "\"oldObject\":" + former));

        assertThat(judged.path("allowed").asBoolean()).as(judged.toString()).isTrue();
        assertThat(reading.reads().stream().distinct()).containsExactly("list spiderippools/");
    }

    @Test
    @DisplayName("C24: subnets are reviewed at paths of their own")
    void subnetsAreReviewed() {
        var webhook = start();
        put(
                SpiderKeys.pool("a"),
                pool("a", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.10\"]}")
                        .toString());

        var judged = response(
                webhook,
                "/validate" + API + "spidersubnet",
                review("SpiderSubnet", "s", "{\"subnet\":\"10.6.0.0/24\",\"ipVersion\":4,\"ips\":[\"10.6.0.1\"]}"));

        assertThat(judged.at("/status/message").asText())
                .contains("SpiderIPPool 'a' owns some IP addresses that SpiderSubnet 's' can't control");
    }

    @Test
    void addressesOfAnotherDialectAreRefused() {
        var webhook = start();
        put("/calico/resources/v3/projectcalico.org/ippools/calico", """
            {"kind":"IPPool","apiVersion":"projectcalico.org/v3","metadata":{"name":"calico"},"spec":{"cidr":"10.6.0.0/16"}}
            """);
        put("/calico/v1/ipam/v4/pool/10.6.0.0-16", "{\"cidr\":\"10.6.0.0/16\"}");

        var judged = response(
                webhook,
                "/validate" + API + "spiderippool",
                review("SpiderIPPool", "p", "{\"subnet\":\"10.6.0.0/24\",\"ipVersion\":4,\"ips\":[\"10.6.0.10\"]}"));

        assertThat(judged.at("/status/message").asText())
                .contains("SpiderIPPool(p) overlaps with", "no two dialects in one store may give addresses");
    }

    @Test
    @DisplayName("C27: reserved addresses are reviewed at paths of their own")
    void reservedAddressesAreReviewed() {
        var webhook = start();

        var judged = response(
                webhook, "/validate" + API + "spiderreservedip", review("SpiderReservedIP", "r", "{\"ips\":[]}"));

        assertThat(judged.at("/status/message").asText())
                .contains("spec.ipVersion", "is not generated correctly, 'spec.ips' is empty");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /validate-spiderpool-spidernet-io-v2beta1-spiderippool | nonsense | 400 | cannot read the AdmissionReview: it is not JSON
        /mutate-spiderpool-spidernet-io-v2beta1-spiderippool   | {}       | 400 | its kind is '' and not 'AdmissionReview'
        /validate                                              | {}       | 404 | use one of [/mutate-spiderpool
        /webhook-health-check                                  | {}       | 405 | takes GET and HEAD, not POST
        """)
    void whatIsNoReviewIsAnsweredWithItsFault(String path, String body, int status, String words) {
        var webhook = start();

        var answer = post(webhook, path, body);

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).contains(words);
    }

    @Test
    void reviewThatIsTooLargeIsRefused() {
        var webhook = start();

        var answer = post(webhook, "/validate" + API + "spiderippool", "x".repeat(Json.MESSAGE_BYTES_MAX + 1));

        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(answer.body()).contains("a review has at most 4194304 bytes");
    }

    @Test
    void healthIsAnsweredAndAReviewIsNoGet() {
        var webhook = start();

        assertThat(send(webhook, ReviewServer.HEALTH, HttpRequest.newBuilder()).statusCode())
                .isEqualTo(200);
        assertThat(send(webhook, "/mutate" + API + "spiderippool", HttpRequest.newBuilder())
                        .statusCode())
                .isEqualTo(405);
    }

    @Test
    void storeThatFailsIsAnErrorOfTheServerInTheAnswer() {
        var failing = new AtomicBoolean();
        var webhook = start(
                new FailingStore(store, SpiderKeys.POOLS, failing),
                new Place.Url(URI.create("https://127.0.0.1:1")),
                "{}");
        await().atMost(PATIENCE).until(() -> webhook.fault().isEmpty());
        failing.set(true);

        var judged = response(
                webhook,
                "/validate" + API + "spiderippool",
                review("SpiderIPPool", "p", "{\"subnet\":\"10.6.0.0/24\",\"ipVersion\":4}"));

        assertThat(judged.at("/status/code").toString()).isEqualTo("500");
        assertThat(judged.at("/status/message").asText()).contains("SpiderIPPool p cannot be compared", "out of order");
    }

    /// Fails for the keys with this prefix, while that is set.
    private record FailingStore(Datastore store, String prefix, AtomicBoolean failing) implements ForwardingDatastore {

        private void check(String key) {
            if (failing.get() && key.startsWith(prefix)) {
                throw new DatastoreException(DatastoreException.Kind.DENIED, "out of order: get " + key);
            }
        }

        @Override
        public Optional<Document> get(String key) {
            check(key);
            return store.get(key);
        }

        @Override
        public Listing list(String listed, int limit) {
            check(listed);
            return store.list(listed, limit);
        }
    }

    /// Counts the documents that were read alone.
    private record CountedStore(Datastore store, AtomicInteger looks) implements ForwardingDatastore {
        @Override
        public Optional<Document> get(String key) {
            looks.incrementAndGet();
            return store.get(key);
        }
    }

    // ---- keys ----

    @Test
    void renewedKeysServeWithoutARestart() {
        var webhook = start();
        var former = secret();
        now.set(now.get().plus(Duration.ofDays(4000)));

        await().atMost(PATIENCE).until(() -> !secret().equals(former));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                webhook.figures().getLast().samples().getFirst().value())
                        .isEqualTo((double) secret().server().until().getEpochSecond()));

        // The certificate begins in the future of the client's clock, which is the only fault left.
        assertThatThrownBy(() -> send(webhook, ReviewServer.HEALTH, HttpRequest.newBuilder()))
                .rootCause()
                .hasMessageContaining("NotBefore");
        assertThatThrownBy(() -> send(webhook, ReviewServer.HEALTH, HttpRequest.newBuilder(), former.authorityPem()))
                .rootCause()
                .hasMessageNotContaining("NotBefore");
    }

    @Test
    void missingRightIsNamedAndTriedAgain() {
        var failing = new AtomicBoolean(true);
        var webhook = start(
                new FailingStore(store, CoreKeys.SECRETS, failing),
                new Place.Url(URI.create("https://127.0.0.1:1")),
                "{}");

        await().atMost(PATIENCE)
                .until(() -> reports.stream()
                        .anyMatch(report -> report.startsWith("cannot keep the keys of the webhooks: out of order: get"
                                + " /cadastre/api/v1/secrets/kube-system/")));
        assertThat(webhook.fault())
                .hasValueSatisfying(fault -> assertThat(fault).contains("out of order"));
        assertThatThrownBy(() -> send(webhook, ReviewServer.HEALTH, HttpRequest.newBuilder(), ""))
                .isInstanceOf(RuntimeException.class);
        failing.set(false);

        await().atMost(PATIENCE).until(() -> webhook.fault().isEmpty());
        assertThat(send(webhook, ReviewServer.HEALTH, HttpRequest.newBuilder()).statusCode())
                .isEqualTo(200);
        assertThat(reports).hasSize(1);
    }

    @Test
    void nothingThatIsReportedHasAKey() {
        put(SECRET, "{\"data\":{\"tls.key\":\"c2VjcmV0\"}}");
        var webhook = start(store, new Place.Service("hook", 443), "{}");

        await().atMost(PATIENCE).until(() -> !reports.isEmpty());

        assertThat(reports.getFirst()).contains(SECRET, "data[ca.crt]").doesNotContain("c2VjcmV0", "secret\"");
        assertThat(webhook.fault()).isPresent();
        assertThat(stored(SECRET).at("/data/tls.key").asText()).isEqualTo("c2VjcmV0");
    }

    // ---- configurations ----

    @Test
    void leaderTellsTheServerWhomToAskAndWhomToTrust() {
        var webhook =
                start(store, new Place.Service("hook", 443), "{\"enableValidatingResourcesDeletedWebhook\":true}");
        lead(webhook);

        await().atMost(PATIENCE)
                .until(() ->
                        CONFIGURATIONS.stream().allMatch(key -> store.get(key).isPresent()));

        var validating = stored(CONFIGURATIONS.getLast()).path("webhooks");
        var pools = validating.get(0);
        assertThat(pools.path("name").asText()).isEqualTo("spiderippool.spiderpool.spidernet.io");
        assertThat(pools.path("failurePolicy").asText()).isEqualTo("Fail");
        assertThat(pools.path("sideEffects").asText()).isEqualTo("None");
        assertThat(pools.path("admissionReviewVersions").toString()).isEqualTo("[\"v1\"]");
        assertThat(pools.at("/rules/0/resources").toString()).isEqualTo("[\"spiderippools\"]");
        assertThat(pools.at("/rules/0/operations").toString()).isEqualTo("[\"CREATE\",\"UPDATE\",\"DELETE\"]");
        assertThat(pools.at("/clientConfig/service").toString())
                .isEqualTo(
                        "{\"name\":\"hook\",\"namespace\":\"kube-system\",\"path\":\"/validate%sspiderippool\",\"port\":443}"
                                .formatted(API));
        assertThat(new String(
                        Base64.getDecoder()
                                .decode(pools.at("/clientConfig/caBundle").asText()),
                        StandardCharsets.US_ASCII))
                .isEqualTo(secret().authorityPem());
        assertThat(validating.get(1).path("name").asText()).isEqualTo("spiderreservedip.spiderpool.spidernet.io");
        assertThat(validating.get(1).at("/rules/0/operations").toString()).isEqualTo("[\"CREATE\",\"UPDATE\"]");
        assertThat(validating.get(2).path("name").asText()).isEqualTo("spidersubnet.spiderpool.spidernet.io");
        assertThat(validating.get(2).at("/rules/0/resources").toString()).isEqualTo("[\"spidersubnets\"]");
        assertThat(validating.get(2).at("/rules/0/operations").toString())
                .isEqualTo("[\"CREATE\",\"UPDATE\",\"DELETE\"]");
        assertThat(stored(CONFIGURATIONS.getFirst()).path("webhooks")).hasSize(3);
        assertThat(stored(CONFIGURATIONS.getFirst())
                        .at("/webhooks/0/rules/0/operations")
                        .toString())
                .isEqualTo("[\"CREATE\",\"UPDATE\"]");
    }

    @Test
    void configurationThatIsRightIsNotWrittenAgainAndAChangedOneIs() {
        var counted = new CountedStore(store, new AtomicInteger());
        var webhook = start(counted, new Place.Url(URI.create("https://127.0.0.1:1")), "{}");
        webhook.elected(new FencedDatastore(counted, () -> true, "test", 0));
        var key = CONFIGURATIONS.getLast();
        await().atMost(PATIENCE).until(() -> store.get(key).isPresent());
        // As a server fills it in, which does not know match conditions.
        var filled = stored(key);
        ((ObjectNode) filled.path("metadata")).put("uid", "x");
        filled.path("webhooks").forEach(one -> ((ObjectNode) one).putObject("namespaceSelector"));
        filled.path("webhooks").forEach(one -> ((ObjectNode) one).remove("matchConditions"));
        put(key, filled.toString());
        long revision = store.get(key).orElseThrow().revision();
        int looks = counted.looks().get();

        await().atMost(PATIENCE).until(() -> counted.looks().get() > looks + 10);
        assertThat(store.get(key).orElseThrow().revision()).isEqualTo(revision);
        ((ObjectNode) filled.path("webhooks").get(0)).put("failurePolicy", "Ignore");
        put(key, filled.toString());

        await().atMost(PATIENCE)
                .until(() ->
                        stored(key).at("/webhooks/0/failurePolicy").asText().equals("Fail"));
        assertThat(stored(key).at("/metadata/uid").asText()).isEqualTo("x");
    }

    @Test
    void processThatDoesNotLeadWritesNoConfiguration() {
        var counted = new CountedStore(store, new AtomicInteger());
        var follower = start(counted, new Place.Url(URI.create("https://127.0.0.1:1")), "{}");

        await().atMost(PATIENCE)
                .until(() -> follower.fault().isEmpty() && counted.looks().get() > 10);

        assertThat(CONFIGURATIONS).allMatch(key -> store.get(key).isEmpty());
    }

    // ---- settings ----

    @ParameterizedTest
    @CsvSource({
        "http://h:1, is not an address of this form",
        "https://h:1/path, is not an address of this form",
        "https://u@h:1, is not an address of this form",
        "hook, is not an address of this form"
    })
    void impossibleUrlsAreRefused(URI url, String words) {
        assertThatThrownBy(() -> new Place.Url(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words);
    }

    @Test
    void portIsThatOfTheEnvironment() {
        assertThat(WebhookSettings.port(Map.of())).isEqualTo(5722);
        assertThat(WebhookSettings.port(Map.of("SPIDERPOOL_WEBHOOK_PORT", "1"))).isEqualTo(1);
        for (var wrong : List.of("0", "65536", "https", "-1", "1.5")) {
            assertThatThrownBy(() -> WebhookSettings.port(Map.of("SPIDERPOOL_WEBHOOK_PORT", wrong)))
                    .hasMessageContaining("SPIDERPOOL_WEBHOOK_PORT is '%s', which is not a port".formatted(wrong));
        }
    }
}
