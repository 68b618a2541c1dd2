package io.cadastre.linux;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/// An open file of the kernel's: a number, which is given back once.
final class Descriptor implements AutoCloseable {

    private final String what;
    private final int number;

    /// Held for reading while the number is in use: the kernel gives a closed number to the next file
    /// that is opened, and a call under way would reach that one.
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    private boolean closed;

    Descriptor(String what, int number) {
        this.what = what;
        this.number = number;
    }

    void use(IntConsumer call) {
        ask(open -> {
            call.accept(open);
            return open;
        });
    }

    <T> T ask(IntFunction<T> call) {
        lock.readLock().lock();
        try {
            if (closed) {
                throw new IllegalStateException("%s is closed".formatted(what));
            }
            return call.apply(number);
        } finally {
            lock.readLock().unlock();
        }
    }

    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                LibC.close(number);
            }
        } finally {
            lock.writeLock().unlock();
        }
    }
}
