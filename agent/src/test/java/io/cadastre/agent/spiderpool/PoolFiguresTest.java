package io.cadastre.agent.spiderpool;

import static io.cadastre.agent.spiderpool.PoolAgentFixture.add;
import static io.cadastre.agent.spiderpool.PoolAgentFixture.del;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.agent.spiderpool.CallFigures.FailureClass;
import io.cadastre.agent.spiderpool.SpiderpoolAgentException.Reason;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.pages.Pages;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What an agent of pools counts, and how it shows it.
class PoolFiguresTest {

    private final PoolAgentFixture cluster = new PoolAgentFixture();
    private final AtomicLong nanos = new AtomicLong();

    private static List<String> lines(List<Metric> metrics) {
        return Metric.text(metrics)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private static void fails(Runnable call) {
        assertThatExceptionOfType(SpiderpoolAgentException.class).isThrownBy(call::run);
    }

    @Test
    @DisplayName("C134: three ADDs of which one finds all addresses used")
    void c134CallsFailuresAndTheirClassesAreCounted() {
        cluster.pool("p4", "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.40-172.18.40.41\"]}");
        var agent = cluster.agent();
        for (var pod : List.of("a", "b", "c")) {
            cluster.pod(pod, "u-" + pod, "p4");
        }

        agent.allocate(add("a", "u-a", "eth0"));
        agent.allocate(add("b", "u-b", "eth0"));
        fails(() -> agent.allocate(add("c", "u-c", "eth0")));

        assertThat(lines(agent.figures()))
                .contains(
                        "spiderpool_ipam_allocation_counts_total 3",
                        "spiderpool_ipam_allocation_failure_counts_total 1",
                        "spiderpool_ipam_allocation_err_ip_used_out_counts_total 1",
                        "spiderpool_ipam_allocation_err_no_available_pool_counts_total 0",
                        "spiderpool_ipam_allocation_err_retries_exhausted_counts_total 0",
                        "spiderpool_ipam_allocation_err_internal_counts_total 0",
                        "spiderpool_ipam_allocation_update_ippool_conflict_counts_total 0",
                        "spiderpool_ipam_allocation_duration_seconds_count 3",
                        "spiderpool_ipam_allocation_limit_duration_seconds_count 3",
                        "spiderpool_ipam_release_counts_total 0");
    }

    @Test
    void releasesAreCountedApartFromAllocations() {
        cluster.pool("p4", "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.40\"]}");
        cluster.deleting("a", "u-a", "p4");
        var agent = cluster.agent();

        agent.release(del("a", "u-a"));
        cluster.put(SpiderKeys.pool("p4"), "{");
        cluster.put(SpiderKeys.ENDPOINTS + "ns1/a", "{");
        fails(() -> agent.release(del("a", "u-a")));

        assertThat(lines(agent.figures()))
                .contains(
                        "spiderpool_ipam_release_counts_total 2",
                        "spiderpool_ipam_release_failure_counts_total 1",
                        "spiderpool_ipam_release_err_internal_counts_total 1",
                        "spiderpool_ipam_release_err_retries_exhausted_counts_total 0",
                        "spiderpool_ipam_release_update_ippool_conflict_counts_total 0",
                        "spiderpool_ipam_release_duration_seconds_count 2",
                        "spiderpool_ipam_allocation_counts_total 0")
                .noneMatch(line -> line.contains("release_err_ip_used_out"));
    }

    @Test
    void timesOfCallsAndOfTheirWaitingAreShownByGaugesAndHistograms() {
        var figures = new CallFigures("allocation", EnumSet.allOf(FailureClass.class), nanos::get);

        for (var time : List.of(Duration.ofMillis(200), Duration.ofSeconds(4), Duration.ofSeconds(20))) {
            figures.count(listener -> {
                pass(Duration.ofMillis(100));
                listener.begun();
                listener.conflicted();
                pass(time.minusMillis(100));
                return time;
            });
        }

        assertThat(lines(figures.metrics()))
                .contains(
                        "spiderpool_ipam_allocation_update_ippool_conflict_counts_total 3",
                        "spiderpool_ipam_allocation_max_duration_seconds 20",
                        "spiderpool_ipam_allocation_min_duration_seconds 0.2",
                        "spiderpool_ipam_allocation_latest_duration_seconds 20",
                        "spiderpool_ipam_allocation_latest_limit_duration_seconds 0.1")
                .anyMatch(line -> line.startsWith("spiderpool_ipam_allocation_average_duration_seconds 8.06"))
                .containsSubsequence(
                        "spiderpool_ipam_allocation_duration_seconds_bucket{le=\"0.1\"} 0",
                        "spiderpool_ipam_allocation_duration_seconds_bucket{le=\"0.3\"} 1",
                        "spiderpool_ipam_allocation_duration_seconds_bucket{le=\"0.5\"} 1",
                        "spiderpool_ipam_allocation_duration_seconds_bucket{le=\"1\"} 1",
                        "spiderpool_ipam_allocation_duration_seconds_bucket{le=\"3\"} 1",
                        "spiderpool_ipam_allocation_duration_seconds_bucket{le=\"5\"} 2",
                        "spiderpool_ipam_allocation_duration_seconds_bucket{le=\"7\"} 2",
                        "spiderpool_ipam_allocation_duration_seconds_bucket{le=\"10\"} 2",
                        "spiderpool_ipam_allocation_duration_seconds_bucket{le=\"15\"} 2",
                        "spiderpool_ipam_allocation_duration_seconds_bucket{le=\"+Inf\"} 3",
                        "spiderpool_ipam_allocation_duration_seconds_count 3",
                        "spiderpool_ipam_allocation_limit_duration_seconds_bucket{le=\"0.1\"} 3");
    }

    @Test
    void messageMayNameSeveralClassesAndWrongInputIsAFailureOnly() {
        var figures = new CallFigures("allocation", EnumSet.allOf(FailureClass.class), nanos::get);

        for (var words : List.of(
                "no IPPool available, all IP addresses used out",
                "exhaust all retries: x",
                "wrong input, duplicate IPPool p",
                "the disk is gone")) {
            fails(() -> figures.count(_ -> {
                throw new SpiderpoolAgentException(Reason.REFUSED, words);
            }));
        }

        assertThat(lines(figures.metrics()))
                .contains(
                        "spiderpool_ipam_allocation_failure_counts_total 4",
                        "spiderpool_ipam_allocation_err_no_available_pool_counts_total 1",
                        "spiderpool_ipam_allocation_err_ip_used_out_counts_total 1",
                        "spiderpool_ipam_allocation_err_retries_exhausted_counts_total 1",
                        "spiderpool_ipam_allocation_err_internal_counts_total 1");
    }

    @Test
    void pagesOfMetricsAndHealthAreServed() throws Exception {
        var agent = cluster.agent();
        var host = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

        try (var metrics = Pages.open(host, AgentPages.metrics(agent));
                var health = Pages.open(host, AgentPages.health(agent));
                var client = HttpClient.newHttpClient()) {
            assertThat(page(client, metrics, "/metrics").body())
                    .contains("# TYPE spiderpool_ipam_allocation_counts_total counter\n");
            for (var probe : List.of("startup", "readiness", "liveness")) {
                assertThat(page(client, health, "/v1/runtime/" + probe).statusCode())
                        .as(probe)
                        .isEqualTo(200);
            }
            cluster.store.close();
            assertThat(page(client, health, "/v1/runtime/readiness").statusCode())
                    .isEqualTo(500);
            assertThat(page(client, health, "/v1/runtime/liveness").statusCode())
                    .isEqualTo(200);
            assertThat(page(client, health, "/metrics").body())
                    .isEqualTo("not found; use /v1/runtime/startup, /v1/runtime/readiness or /v1/runtime/liveness\n");
        }
    }

    private static HttpResponse<String> page(HttpClient client, Pages pages, String path) throws Exception {
        var uri = URI.create("http://127.0.0.1:%d%s".formatted(pages.address().getPort(), path));
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
}
