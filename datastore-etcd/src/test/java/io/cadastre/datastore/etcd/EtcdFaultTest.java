package io.cadastre.datastore.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Load;
import io.cadastre.datastore.PeerProcess;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Watch.Change;
import io.cadastre.datastore.Watch.Notice;
import io.cadastre.datastore.Write;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What callers see while members of etcd are killed, hang or cannot be reached.
class EtcdFaultTest {

    private static final Duration AMPLE = Duration.ofSeconds(60);

    private static final Set<Kind> WHILE_AWAY = EnumSet.of(Kind.UNREACHABLE, Kind.DEADLINE);

    @Test
    void restartUnderLoadLosesNoAcknowledgedCommit(@TempDir Path directory) throws Exception {
        try (var etcd = EtcdProcess.start(directory);
                var store = EtcdDatastore.open(etcd.settings());
                var load = new Load(store, 8, WHILE_AWAY)) {
            load.awaitProgress(20);

            etcd.kill();
            etcd.restart();

            load.awaitProgress(20);
            load.stopAndCheck(store);
        }
    }

    @Test
    void clusterServesOnWhenAMemberIsKilledUnderLoad(@TempDir Path directory) throws Exception {
        var members = EtcdProcess.startCluster(directory);
        var endpoints = members.stream().map(EtcdProcess::endpoint).toList();
        try (var store = EtcdDatastore.open(EtcdSettings.of(endpoints));
                var load = new Load(store, 8, WHILE_AWAY)) {
            load.awaitProgress(20);

            members.getFirst().kill();
            load.awaitProgress(20);
            members.getFirst().restart();
            leader(members).kill();
            load.awaitProgress(20);

            load.stopAndCheck(store);
        } finally {
            members.forEach(EtcdProcess::close);
        }
    }

    @Test
    void connectingEndsAfterItsOwnLimit() throws Exception {
        try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var store = EtcdDatastore.open(
                        EtcdSettings.of(List.of(EtcdEndpoint.parse("http://127.0.0.1:" + silent.getLocalPort())))
                                .withCallLimit(AMPLE))) {

            var said = catchThrowableOfType(DatastoreException.class, () -> store.connect(Duration.ofMillis(200)));

            assertThat(said.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(said).hasMessageEndingWith("no connection within 0.2 s");
        }
    }

    @Test
    void watchGoesOnAcrossARestartWithoutGapOrRepeat(@TempDir Path directory) throws Exception {
        try (var etcd = EtcdProcess.start(directory);
                var store = EtcdDatastore.open(etcd.settings().withCallLimit(AMPLE));
                var watch = store.watch("a/", store.list("", 1).revision())) {
            var written = new ArrayList<Document>();
            var told = new ArrayList<Document>();
            written.add(put(store, "a/1"));
            written.add(put(store, "a/2"));
            told.add(next(watch));

            etcd.kill();
            etcd.restart();
            written.add(put(store, "a/3"));
            written.add(put(store, "a/4"));

            told.add(next(watch));
            told.add(next(watch));
            told.add(next(watch));
            assertThat(told).isEqualTo(written);
            assertThat(watch.next(Duration.ZERO)).isEqualTo(new Notice.Quiet());
        }
    }

    @Test
    void watchSaysThatEtcdIsAwayAndGoesOnWhenItIsBack(@TempDir Path directory) throws Exception {
        try (var etcd = EtcdProcess.start(directory);
                var store = EtcdDatastore.open(etcd.settings().withCallLimit(AMPLE));
                var hasty = EtcdDatastore.open(etcd.settings().withCallLimit(Duration.ofMillis(500)));
                var watch = hasty.watch("a/", store.list("", 1).revision())) {
            var first = put(store, "a/1");
            assertThat(next(watch)).isEqualTo(first);

            etcd.kill();

            var said = catchThrowableOfType(DatastoreException.class, () -> watch.next(Duration.ofSeconds(1)));
            assertThat(said.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(said).hasMessageContaining(etcd.endpoint().toString());
            etcd.restart();
            var second = put(store, "a/2");
            assertThat(next(watch)).isEqualTo(second);
        }
    }

    @Test
    void refusedConnectionIsReportedAtOnceWithTheEndpoints() throws Exception {
        var ports = PeerProcess.freePorts(2);
        var endpoints = ports.stream().map(EtcdProcess::endpointAt).toList();
        try (var store = EtcdDatastore.open(EtcdSettings.of(endpoints).withCallLimit(AMPLE))) {
            long begun = System.nanoTime();

            var reading = failure(() -> store.get("a"));
            var writing = failure(() -> store.commit(List.of(create("a"))));

            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(AMPLE.dividedBy(2));
            assertThat(List.of(reading.kind(), writing.kind())).containsOnly(Kind.UNREACHABLE);
            assertThat(reading)
                    .hasMessageContaining("http://127.0.0.1:" + ports.get(0))
                    .hasMessageContaining("http://127.0.0.1:" + ports.get(1))
                    .hasMessageContaining("refused");
        }
    }

    @Test
    void silentServerIsUnreachableWhenTheLimitIsOver() throws Exception {
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                var store = EtcdDatastore.open(
                        EtcdSettings.of(List.of(endpoint(silent))).withCallLimit(Duration.ofMillis(200)))) {

            var reading = failure(() -> store.get("a"));
            var writing = failure(() -> store.commit(List.of(create("a"))));

            assertThat(List.of(reading.kind(), writing.kind())).containsOnly(Kind.UNREACHABLE);
            assertThat(reading).hasMessageContaining("0.2 s");
        }
    }

    @Test
    void memberThatAnswersIsFoundBehindOnesThatDoNot(@TempDir Path directory) throws Exception {
        var refusing = EtcdProcess.endpointAt(PeerProcess.freePorts(1).getFirst());
        try (var etcd = EtcdProcess.start(directory);
                var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                var store = EtcdDatastore.open(EtcdSettings.of(List.of(endpoint(silent), refusing, etcd.endpoint()))
                        .withCallLimit(AMPLE))) {

            var document = put(store, "a");

            assertThat(store.get("a")).contains(document);
        }
    }

    @Test
    void memberThatHangsIsLeftForAnother(@TempDir Path directory) throws Exception {
        var members = EtcdProcess.startCluster(directory);
        var endpoints = members.stream().map(EtcdProcess::endpoint).toList();
        var settings = EtcdSettings.of(endpoints).withCallLimit(Duration.ofSeconds(6));
        try (var store = EtcdDatastore.open(settings)) {
            var document = put(store, "a");

            members.getFirst().freeze();
            var found = store.get("a");

            assertThat(found).contains(document);
        } finally {
            members.getFirst().proceed();
            members.forEach(EtcdProcess::close);
        }
    }

    private static EtcdProcess leader(List<EtcdProcess> members) {
        return await().atMost(AMPLE)
                .until(() -> findLeader(members), Optional::isPresent)
                .get();
    }

    private static Optional<EtcdProcess> findLeader(List<EtcdProcess> members) throws IOException {
        for (var member : members) {
            // The fifth column tells whether the member leads.
            var columns = member.etcdctl("endpoint", "status").split(",", -1);
            if (columns[4].strip().equals("true")) {
                return Optional.of(member);
            }
        }
        return Optional.empty();
    }

    private static EtcdEndpoint endpoint(ServerSocket socket) {
        return EtcdEndpoint.parse("http://127.0.0.1:" + socket.getLocalPort());
    }

    private static DatastoreException failure(ThrowingCallable call) {
        return catchThrowableOfType(DatastoreException.class, call);
    }

    private static Write create(String key) {
        return new Write.Create(key, Bytes.ofUtf8("1"));
    }

    private static Document put(EtcdDatastore store, String key) {
        var done = (Commit.Done) store.commit(List.of(create(key)));
        return new Document(key, Bytes.ofUtf8("1"), done.revisions().getFirst());
    }

    private static Document next(Watch watch) {
        var notice = (Notice.Changed) watch.next(AMPLE);
        return ((Change.Put) notice.changes().getFirst()).document();
    }
}
