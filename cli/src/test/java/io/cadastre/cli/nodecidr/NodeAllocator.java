package io.cadastre.cli.nodecidr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.cli.RunningProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The process of `cadastre controller` that assigns CIDRs to Nodes, and its pages.
record NodeAllocator(RunningProcess process) implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Pattern PAGES = Pattern.compile("metrics and health checks are on (\\S+)");

    /// One that has been started and writes where it is.
    static NodeAllocator start(Path home, Map<String, String> environment, String identity, String... flags)
            throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.cadastre.cli.Main",
                "controller",
                "--identity=" + identity,
                "--listen=127.0.0.1:0",
                "--allocate-node-cidrs"));
        command.addAll(List.of(flags));
        var allocator = new NodeAllocator(RunningProcess.start(home, environment, command));
        allocator.process.awaitOut("metrics and health checks are on http://");
        return allocator;
    }

    HttpResponse<String> page(String path) {
        var pages = PAGES.matcher(process.out());
        assertThat(pages.find()).isTrue();
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(pages.group(1) + path)).build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException broken) {
            throw new AssertionError(broken);
        }
    }

    /// The line of a figure; empty if it is not shown.
    String figure(String name) {
        return page("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .findFirst()
                .orElse("");
    }

    void awaitFigure(String name, String value) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(figure(name)).as(name).endsWith(" " + value));
    }

    /// Waits until nothing that is due is left.
    void awaitIdle() {
        await().atMost(PATIENCE)
                .until(() -> figure("workqueue_depth").endsWith(" 0")
                        && figure("workqueue_unfinished_work_seconds").endsWith(" 0"));
    }

    void awaitReady() {
        await().atMost(PATIENCE).until(() -> page("/readyz").statusCode() == 200);
    }

    void awaitErr(String part) throws InterruptedException {
        process.awaitErr(part);
    }

    /// Ends it as a supervisor does, so that another can take over at once.
    void terminate() throws IOException, InterruptedException {
        process.terminate();
        process.end();
    }

    @Override
    public void close() {
        process.close();
    }
}
