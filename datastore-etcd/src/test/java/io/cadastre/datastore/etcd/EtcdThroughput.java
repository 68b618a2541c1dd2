package io.cadastre.datastore.etcd;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;

/// Measures durable commits per second beside raw puts, on a real etcd, in one run.
///
/// A commit is a compare-and-set update of 1 KiB by a writer with a key of its own. Beside it stand
/// etcd's `Put` of as many bytes, and a transaction of one put that compares nothing, through the same
/// kind of client: etcd 3.4 copies its read buffer for every transaction, so it serves fewer of them
/// than of puts, unless commits share one. Rounds are interleaved. Arguments: seconds per round (2),
/// rounds (3), and then flags for etcd.
public final class EtcdThroughput {

    private static final int VALUE_BYTES = 1024;
    private static final List<Integer> WRITER_COUNTS = List.of(1, 8, 64, 512);

    private static final MethodDescriptor<ProtoWriter, ProtoReader> PUT =
            Rpc.procedure("etcdserverpb.KV/Put", MethodType.UNARY);

    private EtcdThroughput() {}

    public static void main(String[] arguments) throws Exception {
        var round = Duration.ofSeconds(arguments.length > 0 ? Long.parseLong(arguments[0]) : 2);
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
        var directory = Files.createTempDirectory("etcd-throughput");
        try {
            measureAll(directory, round, rounds, arguments);
        } finally {
            try (var files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
    }

    private static void measureAll(Path directory, Duration round, int rounds, String[] arguments) throws Exception {
        var flags = Arrays.copyOfRange(arguments, Math.min(2, arguments.length), arguments.length);
        try (var etcd = EtcdProcess.startDurable(directory, flags);
                var store = EtcdDatastore.open(etcd.settings());
                var client = new EtcdClient(etcd.settings(), List.of(etcd.endpoint()))) {
            measure(8, round, writer -> commits(store, writer));
            measure(8, round, writer -> puts(client, writer));
            System.out.println("writers  commits/s  raw transactions/s  raw puts/s  commits per cent of each");
            for (int writerCount : WRITER_COUNTS) {
                double commits = 0;
                double transactions = 0;
                double puts = 0;
                for (int count = 0; count < rounds; count++) {
                    commits += measure(writerCount, round, writer -> commits(store, writer));
                    transactions += measure(writerCount, round, writer -> transactions(client, writer));
                    puts += measure(writerCount, round, writer -> puts(client, writer));
                }
                System.out.printf(
                        "%7d  %9.0f  %18.0f  %10.0f  %.1f  %.1f%n",
                        writerCount,
                        commits / rounds,
                        transactions / rounds,
                        puts / rounds,
                        100 * commits / transactions,
                        100 * commits / puts);
            }
        }
    }

    /// Calls per second of this many writers together.
    private static double measure(int writerCount, Duration round, WriterOf writerOf) throws Exception {
        var calls = new ArrayList<Callable<?>>();
        for (int writer = 0; writer < writerCount; writer++) {
            calls.add(writerOf.apply(writer));
        }
        long begun = System.nanoTime();
        long end = begun + round.toNanos();
        long total = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var counts = new ArrayList<Future<Long>>();
            for (var call : calls) {
                counts.add(threads.submit(() -> countUntil(end, call)));
            }
            for (var count : counts) {
                total += count.get();
            }
        }
        return total / ((System.nanoTime() - begun) / 1e9);
    }

    private static long countUntil(long end, Callable<?> call) throws Exception {
        long count = 0;
        while (System.nanoTime() < end) {
            call.call();
            count++;
        }
        return count;
    }

    private static Callable<?> commits(EtcdDatastore store, int writer) {
        var key = "throughput/" + writer;
        var revision =
                new long[] {store.get(key).map(document -> document.revision()).orElse(0L)};
        var value = Bytes.of(randomBytes());
        return () -> {
            Write write = revision[0] == 0 ? new Write.Create(key, value) : new Write.Update(key, value, revision[0]);
            var done = (Commit.Done) store.commit(List.of(write));
            revision[0] = done.revisions().getFirst();
            return done;
        };
    }

    private static Callable<?> puts(EtcdClient client, int writer) {
        var key = ("raw/" + writer).getBytes(StandardCharsets.UTF_8);
        var value = randomBytes();
        return () -> {
            var request = new ProtoWriter().bytes(1, key).bytes(2, value);
            return (EtcdReply.Answer) client.callOnce(PUT, request, client.deadline());
        };
    }

    private static Callable<?> transactions(EtcdClient client, int writer) {
        var key = ("raw/" + writer).getBytes(StandardCharsets.UTF_8);
        var value = randomBytes();
        return () -> {
            var put = new ProtoWriter().bytes(1, key).bytes(2, value);
            var request = new ProtoWriter().message(2, new ProtoWriter().message(2, put));
            return (EtcdReply.Answer) client.callOnce(Rpc.TRANSACTION, request, client.deadline());
        };
    }

    private static byte[] randomBytes() {
        var bytes = new byte[VALUE_BYTES];
        RandomGenerator.getDefault().nextBytes(bytes);
        return bytes;
    }

    @FunctionalInterface
    private interface WriterOf {
        Callable<?> apply(int writer) throws Exception;
    }
}
