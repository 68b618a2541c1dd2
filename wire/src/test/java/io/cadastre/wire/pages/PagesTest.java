package io.cadastre.wire.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.wire.pages.Metric.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PagesTest {

    private volatile Optional<String> fault = Optional.empty();

    private final Pages pages = Pages.open(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new Pages.Content(
                    List.of(new HealthCheck("election", Optional::empty)),
                    List.of(new HealthCheck("in-sync", () -> fault)),
                    () -> List.of(Metric.gauge(
                            "holdings",
                            "What is held.",
                            List.of(Sample.of(3, "node", "a\"b\\c\nd"), Sample.of(0.5))))));

    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        client.close();
        pages.close();
    }

    private HttpResponse<String> call(String method, String path) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(
                        "http://127.0.0.1:%d%s".formatted(pages.address().getPort(), path)))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void healthyProcessAnswersOk() throws Exception {
        var alive = call("GET", "/livez");
        var ready = call("GET", "/readyz");

        assertThat(alive.statusCode()).isEqualTo(200);
        assertThat(alive.body()).isEqualTo("ok");
        assertThat(ready.statusCode()).isEqualTo(200);
        assertThat(ready.body()).isEqualTo("ok");
    }

    @Test
    void verboseAnswerListsEachCheck() throws Exception {
        var alive = call("GET", "/livez?verbose");

        assertThat(alive.statusCode()).isEqualTo(200);
        assertThat(alive.body()).isEqualTo("[+]ping ok\n[+]election ok\nlivez check passed\n");
    }

    @Test
    void failedCheckIsReported() throws Exception {
        fault = Optional.of("not read yet: pods");

        var ready = call("GET", "/readyz");
        var alive = call("GET", "/livez");

        assertThat(ready.statusCode()).isEqualTo(500);
        assertThat(ready.body()).isEqualTo("[+]ping ok\n[-]in-sync failed: not read yet: pods\nreadyz check failed\n");
        assertThat(alive.statusCode()).isEqualTo(200);
    }

    @Test
    void figuresAreShownAsPrometheusReadsThem() throws Exception {
        var metrics = call("GET", "/metrics");

        assertThat(metrics.statusCode()).isEqualTo(200);
        assertThat(metrics.headers().firstValue("Content-Type")).contains("text/plain; version=0.0.4; charset=utf-8");
        assertThat(metrics.body())
                .startsWith("""
                    # HELP holdings What is held.
                    # TYPE holdings gauge
                    holdings{node="a\\"b\\\\c\\nd"} 3
                    holdings 0.5
                    """)
                .contains("# TYPE process_cpu_seconds_total counter")
                .containsPattern("\nprocess_resident_memory_bytes [1-9][0-9]*\n")
                .containsPattern("\nprocess_open_fds [1-9][0-9]*\n")
                .containsPattern("\nprocess_start_time_seconds [1-9][0-9.E]*\n");
    }

    @Test
    void nothingElseIsThere() throws Exception {
        var other = call("GET", "/secrets");
        var written = call("POST", "/metrics");
        var head = call("HEAD", "/livez");

        assertThat(other.statusCode()).isEqualTo(404);
        assertThat(written.statusCode()).isEqualTo(405);
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    @Test
    void aPortInUseIsReported() {
        var content = new Pages.Content(List.of(), List.of(), List::of);

        assertThatThrownBy(() -> Pages.open(pages.address(), content).close())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("cannot listen on ")
                .hasMessageContaining("Address already in use");
    }
}
