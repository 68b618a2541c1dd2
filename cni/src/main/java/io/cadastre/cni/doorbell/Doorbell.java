package io.cadastre.cni.doorbell;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.CniVersion;
import io.cadastre.wire.cni.DoorbellFrame;
import io.cadastre.wire.cni.DoorbellFrame.Call;
import io.cadastre.wire.cni.FrameException;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Does what the program in C does, where there is no compiler for that one: asks the agent, and gives
/// its answer.
public final class Doorbell {

    private static final Duration CONNECT_MAX = Duration.ofSeconds(2);

    /// Whatever the settings say: twelve days.
    private static final Duration WAIT_MAX = Duration.ofMillis(1 << 30);

    private final DoorbellSettings settings;

    public Doorbell(DoorbellSettings settings) {
        this.settings = settings;
    }

    /// Calls the plugin of this name.
    ///
    /// @param environment all of it
    public CniAnswer ring(String plugin, Map<String, String> environment, InputStream stdin) {
        var carried = new TreeMap<String, String>();
        environment.forEach((name, value) -> {
            if (DoorbellFrame.carries(name)) {
                carried.put(name, value);
            }
        });
        var verb = carried.getOrDefault("CNI_COMMAND", "");
        var limit = verb.equals(CniVerb.DEL.name()) ? settings.delMax() : settings.callMax();
        var deadline = new Deadline(Long.MAX_VALUE).atMost(limit);
        Bytes frame;
        try {
            // VERSION has no input, and neither has a call without a verb, which only asks what this is.
            boolean silent = verb.isEmpty() || verb.equals(CniVerb.VERSION.name());
            var input = silent ? new byte[0] : deadline.run(() -> readAll(stdin));
            frame = DoorbellFrame.encode(new Call(plugin, carried, Bytes.of(input)));
        } catch (FrameException tooLarge) {
            return refuse(CniCode.IO_FAILURE, "the call is larger than a frame", tooLarge);
        } catch (IOException unreadable) {
            return refuse(CniCode.IO_FAILURE, "error reading from stdin", unreadable);
        }
        try {
            return exchange(frame, deadline);
        } catch (IOException unanswered) {
            return unanswered(verb, frame, unanswered);
        }
    }

    private static byte[] readAll(InputStream stdin) throws IOException {
        // One more than fits, so that what is cut off is not taken for a whole.
        return stdin.readNBytes(DoorbellFrame.BYTES_MAX + 1);
    }

    private CniAnswer exchange(Bytes frame, Deadline deadline) throws IOException {
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            var address = UnixDomainSocketAddress.of(settings.socket());
            deadline.atMost(CONNECT_MAX).run(() -> channel.connect(address));
            return deadline.run(() -> exchange(frame, channel));
        }
    }

    private static CniAnswer exchange(Bytes frame, SocketChannel channel) throws IOException {
        try {
            var bytes = ByteBuffer.wrap(frame.toByteArray());
            // Ends: each round sends some.
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException refused) {
            // It may have answered without listening to the end.
            try {
                return DoorbellFrame.readAnswer(Channels.newInputStream(channel));
            } catch (IOException unanswered) {
                refused.addSuppressed(unanswered);
                throw refused;
            }
        }
        return DoorbellFrame.readAnswer(Channels.newInputStream(channel));
    }

    private CniAnswer unanswered(String verb, Bytes frame, IOException cause) {
        if (verb.equals(CniVerb.DEL.name())) {
            try {
                spool(frame);
                return new CniAnswer(Bytes.ofUtf8(""), Bytes.ofUtf8(""), 0);
            } catch (IOException full) {
                cause.addSuppressed(full);
            }
        }
        return refuse(
                verb.equals(CniVerb.STATUS.name()) ? CniCode.PLUGIN_NOT_AVAILABLE : CniCode.TRY_AGAIN_LATER,
                "the agent at %s gives no answer".formatted(settings.socket()),
                cause);
    }

    /// Writes the call to a file that is whole or not there, and never in the place of another.
    private void spool(Bytes frame) throws IOException {
        var folder = settings.spool();
        if (!Files.isDirectory(folder)) {
            Files.createDirectory(folder, permissions("rwx------"));
        }
        var unique = UUID.randomUUID();
        var draft = folder.resolve("." + unique);
        var open = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (var file = FileChannel.open(draft, open, permissions("rw-------"))) {
            var bytes = ByteBuffer.wrap(frame.toByteArray());
            // Ends: each round writes some.
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(true);
        }
        // The time comes from the file system, so that entries are found in the order they were
        // made.
        var name = "%d-%d-%s"
                .formatted(
                        Files.getLastModifiedTime(draft).toMillis() / 1000,
                        ProcessHandle.current().pid(),
                        unique);
        Files.createLink(folder.resolve(name + ".del"), draft);
        Files.delete(draft);
        try (var entries = FileChannel.open(folder, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    private static FileAttribute<?> permissions(String words) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(words));
    }

    private static CniAnswer refuse(CniCode code, String msg, IOException cause) {
        var why = cause.getMessage();
        return CniAnswer.failure(CniError.of(code, msg, why == null ? cause.toString() : why), CniVersion.NEWEST);
    }

    /// A moment on the clock that only runs forward.
    private record Deadline(long nanos) {

        Deadline atMost(Duration limit) {
            var bounded = limit.compareTo(WAIT_MAX) < 0 ? limit : WAIT_MAX;
            return new Deadline(Math.min(nanos, System.nanoTime() + bounded.toNanos()));
        }

        /// Does the work in another thread, which is left behind if it takes too long: the process
        /// ends anyway, and closing what it waits for ends it too.
        <T> T run(Callable<T> work) throws IOException {
            var result = new CompletableFuture<T>();
            Thread.ofPlatform().daemon().name("doorbell").start(() -> {
                try {
                    result.complete(work.call());
                } catch (Exception failure) {
                    result.completeExceptionally(failure);
                }
            });
            try {
                return result.get(nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException late) {
                throw new IOException("Connection timed out", late);
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof IOException cause) {
                    throw cause;
                }
                throw new IOException(String.valueOf(failed.getCause()), failed);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", interrupted);
            }
        }
    }

    /// Rings as the program that a runtime called.
    static CniAnswer ringAs(Path stub, Map<String, String> environment, InputStream in) throws IOException {
        var name = stub.getFileName();
        var folder = stub.toRealPath().getParent();
        if (name == null || folder == null) {
            throw new IOException(stub + " is not a plugin");
        }
        return new Doorbell(DoorbellSettings.in(folder)).ring(name.toString(), environment, in);
    }
}
