package io.cadastre.cni.runtime;

import io.cadastre.datastore.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Reads a stream to its end, up to a bound, in a thread of its own.
final class BoundedOutput implements Runnable {

    private static final int CHUNK_BYTES = 8192;

    private final InputStream stream;
    private final int bytesMax;
    private final Runnable tooMuch;
    private final CountDownLatch end = new CountDownLatch(1);

    /// Guarded by itself: it may be read while another thread still writes into it.
    private final ByteArrayOutputStream gathered = new ByteArrayOutputStream();

    /// Nothing is read yet.
    ///
    /// @param tooMuch is run when the stream has more than it may
    BoundedOutput(InputStream stream, int bytesMax, Runnable tooMuch) {
        this.stream = stream;
        this.bytesMax = bytesMax;
        this.tooMuch = tooMuch;
    }

    @Override
    public void run() {
        var chunk = new byte[CHUNK_BYTES];
        try {
            // Ends: with the stream, or past the bound.
            for (int count = 0; count >= 0; count = stream.read(chunk)) {
                if (add(chunk, count) > bytesMax) {
                    tooMuch.run();
                    return;
                }
            }
        } catch (IOException _) {
            // Java closes the stream of a process that has ended, after all that it printed.
        } finally {
            end.countDown();
        }
    }

    private int add(byte[] chunk, int count) {
        synchronized (gathered) {
            gathered.write(chunk, 0, count);
            return gathered.size();
        }
    }

    /// What was read when the stream ended, or when the time was over.
    Bytes await(Duration patience) throws InterruptedException {
        boolean _ = end.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        synchronized (gathered) {
            return Bytes.of(gathered.toByteArray());
        }
    }
}
