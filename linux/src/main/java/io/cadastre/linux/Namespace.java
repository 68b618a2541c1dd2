package io.cadastre.linux;

import java.nio.file.Path;
import java.util.function.Supplier;

/// An open network namespace. It lives at least as long as it is open, whatever becomes of its path.
public final class Namespace implements AutoCloseable {

    private static final String OWN_OF_THREAD = "/proc/thread-self/ns/net";
    private static final long NSFS_MAGIC = 0x6e736673;
    private static final long PROC_SUPER_MAGIC = 0x9fa0;

    private final String path;
    private final FileIdentity identity;
    private final Descriptor descriptor;

    private Namespace(String path, FileIdentity identity, Descriptor descriptor) {
        this.path = path;
        this.identity = identity;
        this.descriptor = descriptor;
    }

    /// Opens the namespace that a path leads to, such as `/run/netns/blue` or `/proc/1/ns/net`.
    ///
    /// @throws LinuxException with `ENOENT` if there is nothing, and with `EINVAL` if there is something
    ///     else, in the words of the reference plugins
    public static Namespace open(String path) {
        long magic = LibC.fileSystemMagic("failed to Statfs " + Quote.of(path), path);
        if (magic != NSFS_MAGIC && magic != PROC_SUPER_MAGIC) {
            throw LinuxException.notNamespace(path, magic);
        }
        return opened(path);
    }

    /// Opens the namespace of the calling thread. A virtual thread has that of its carrier, which is
    /// the process's own.
    public static Namespace current() {
        return opened(OWN_OF_THREAD);
    }

    /// Creates a namespace and gives it a name, as `ip netns add` does. Other programs find it at
    /// [#named(String)].
    ///
    /// @throws LinuxException with `EEXIST` if the name is taken
    public static Namespace create(String name) {
        var file = named(name);
        NamespaceMounts.create(file);
        return open(file.toString());
    }

    /// Removes the name, as `ip netns delete` does. The namespace ends when it is not used any more.
    ///
    /// @throws LinuxException with `ENOENT` if there is no such name
    public static void delete(String name) {
        NamespaceMounts.delete(named(name));
    }

    /// Where a namespace of this name is found.
    public static Path named(String name) {
        if (name.isEmpty()
                || name.equals(".")
                || name.equals("..")
                || name.indexOf('/') >= 0
                || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("%s is not the name of a namespace".formatted(Quote.of(name)));
        }
        return NamespaceMounts.FOLDER.resolve(name);
    }

    /// The path it was opened by.
    public String path() {
        return path;
    }

    /// Whether two are one and the same, by whatever paths they were opened.
    public boolean sameAs(Namespace other) {
        return identity.equals(other.identity);
    }

    /// Does the work inside the namespace and waits for its end: on the calling thread if that is in it already, which
    /// needs no right, and else on a platform thread of its own, which needs CAP_SYS_ADMIN.
    ///
    /// The work must not start, wake or wait for other threads: a new thread starts in the namespace of the
    /// thread that starts it and stays there, also a carrier of virtual threads.
    public <T> T inside(Supplier<T> work) {
        if (isOfThread()) {
            return work.get();
        }
        var operation = "enter namespace " + Quote.of(path);
        return new Visit<>(operation, () -> descriptor.use(number -> LibC.enterNetwork(operation, number)), work)
                .make();
    }

    /// As [#inside(Supplier)], for work that has no result.
    public void inside(Runnable work) {
        inside(() -> {
            work.run();
            return this;
        });
    }

    @Override
    public void close() {
        descriptor.close();
    }

    @Override
    public String toString() {
        return path;
    }

    /// The open file, for a message that names the namespace by the number of one.
    Descriptor descriptor() {
        return descriptor;
    }

    private boolean isOfThread() {
        try (var own = current()) {
            return sameAs(own);
        }
    }

    /// The calling thread's own namespace, as a way back.
    static Descriptor openOwnOfThread() {
        return new Descriptor(OWN_OF_THREAD, LibC.open("open " + OWN_OF_THREAD, OWN_OF_THREAD, LibC.O_RDONLY, 0));
    }

    private static Namespace opened(String path) {
        var operation = "open " + Quote.of(path);
        var descriptor = new Descriptor("namespace " + Quote.of(path), LibC.open(operation, path, LibC.O_RDONLY, 0));
        try {
            var identity = descriptor.ask(number -> LibC.identity(operation, number));
            return new Namespace(path, identity, descriptor);
        } catch (LinuxException failure) {
            descriptor.close();
            throw failure;
        }
    }
}
