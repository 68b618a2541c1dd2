package io.cadastre.datastore.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch.Notice;
import io.cadastre.datastore.Write;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Seventy documents of the greatest size: together they are more than we take in one message. The
/// tests do not change them.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EtcdLargeTest {

    private static final Duration AMPLE = Duration.ofSeconds(60);
    private static final int DOCUMENT_COUNT = 70;
    private static final Pattern WATCHES_HANDLED =
            Pattern.compile("grpc_server_handled_total\\{[^}]*grpc_method=\"Watch\"[^}]*} (\\d+)");

    private EtcdProcess etcd;
    private EtcdDatastore store;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        etcd = EtcdProcess.start(directory);
        store = EtcdDatastore.open(etcd.settings().withCallLimit(AMPLE));
        var value = Bytes.of(new byte[Datastore.VALUE_BYTES_MAX]);
        for (int index = 0; index < DOCUMENT_COUNT; index++) {
            store.commit(List.of(new Write.Create("a/" + index, value)));
        }
    }

    @AfterAll
    void stop() {
        if (store != null) {
            store.close();
            etcd.close();
        }
    }

    @Test
    void conflictIsReportedWithoutTheValues() {
        var writes = new ArrayList<Write>();
        for (int index = 0; index < DOCUMENT_COUNT; index++) {
            writes.add(new Write.Create("a/" + index, Bytes.ofUtf8("1")));
        }

        var commit = store.commit(writes);

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.EXISTS));
    }

    @Test
    void pagesAreCutToWhatOneMessageHolds() {
        var first = store.list("a/", Datastore.PAGE_DOCUMENTS_MAX);
        var all = store.listAll("a/");

        assertThat(first.documents()).hasSizeBetween(1, 63);
        assertThat(first.next()).isPresent();
        assertThat(all.documents()).hasSize(DOCUMENT_COUNT);
    }

    @Test
    void watchThatIsNotReadIsLeftAndMissesNothing() {
        var documents = store.listAll("a/").documents();
        var written = documents.stream().map(Document::revision).sorted().toList();
        long streamsEnded = watchStreamsEnded();
        var told = new ArrayList<Long>();

        try (var watch = store.watch("a/", written.getFirst() - 1)) {
            told.add(((Notice.Changed) watch.next(AMPLE)).revision());
            // The watch is not read, so the box fills and the stream is left.
            await().atMost(AMPLE).until(() -> watchStreamsEnded() > streamsEnded);
            while (told.size() < written.size() && watch.next(AMPLE) instanceof Notice.Changed changed) {
                told.add(changed.revision());
            }
        }

        assertThat(told).isEqualTo(written);
    }

    /// How many watch streams of this etcd have ended.
    private long watchStreamsEnded() {
        var request =
                HttpRequest.newBuilder(URI.create(etcd.endpoint() + "/metrics")).build();
        try (var http = HttpClient.newHttpClient()) {
            var text = http.send(request, BodyHandlers.ofString()).body();
            return WATCHES_HANDLED
                    .matcher(text)
                    .results()
                    .mapToLong(found -> Long.parseLong(found.group(1)))
                    .sum();
        } catch (IOException | InterruptedException failed) {
            throw new AssertionError(failed);
        }
    }
}
