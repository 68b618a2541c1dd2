package io.cadastre.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("it counts what the process has open")
class NamespaceTest {

    @AutoClose
    private final NetworkNamespaces namespaces = NetworkNamespaces.open();

    @Test
    void createdNamespaceIsSeenByOthersUntilItIsDeleted() {
        var name = NetworkNamespaces.freshName();

        try (var created = Namespace.create(name)) {
            assertThat(created.path()).isEqualTo("/run/netns/" + name);
            assertThat(NetworkNamespaces.run("ip", "netns", "list")).contains(name);
        } finally {
            Namespace.delete(name);
        }

        assertThat(NetworkNamespaces.run("ip", "netns", "list")).doesNotContain(name);
        assertThat(Namespace.named(name)).doesNotExist();
    }

    @Test
    void namespaceThatOthersCreateIsOpened() {
        var name = NetworkNamespaces.freshName();
        NetworkNamespaces.run("ip", "netns", "add", name);

        try (var opened = Namespace.open("/run/netns/" + name)) {
            assertThat(opened.inside(NamespaceTest::ownNamespace)).isNotEqualTo(ownNamespace());
        } finally {
            Namespace.delete(name);
        }
    }

    @Test
    void nameThatIsTakenIsRefused() {
        var taken = Path.of(namespaces.namespace().path()).getFileName().toString();

        var refused = catchThrowableOfType(LinuxException.class, () -> Namespace.create(taken));

        assertThat(refused.errno()).isEqualTo(Errno.EEXIST);
    }

    @Test
    void nameThatIsMissingCannotBeDeleted() {
        var refused = catchThrowableOfType(LinuxException.class, () -> Namespace.delete(NetworkNamespaces.freshName()));

        assertThat(refused.errno()).isEqualTo(Errno.ENOENT);
    }

    /// Files of procfs pass the look at the file system; the kernel refuses to enter them.
    @Test
    void fileOfProcfsThatIsNotANamespaceCannotBeEntered() {
        try (var strange = Namespace.open("/proc/self/status")) {
            var refused = catchThrowableOfType(LinuxException.class, () -> strange.inside(NamespaceTest::ownNamespace));

            assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
        }
    }

    @Test
    void namespaceIsTheSameByWhateverPath() {
        var blue = namespaces.namespace();
        var green = namespaces.namespace();

        try (var again = Namespace.open(blue.path());
                var own = Namespace.current();
                var process = Namespace.open("/proc/self/ns/net")) {
            assertThat(again.sameAs(blue)).isTrue();
            assertThat(green.sameAs(blue)).isFalse();
            assertThat(own.sameAs(process)).isTrue();
            assertThat(own.sameAs(blue)).isFalse();
        }
    }

    @Test
    void workIsDoneInsideByAPlatformThread() {
        var namespace = namespaces.namespace();
        var home = ownNamespace();

        var inside = namespace.inside(
                () -> List.of(ownNamespace(), Thread.currentThread().isVirtual()));

        assertThat(inside.get(0)).isNotEqualTo(home);
        assertThat(inside.get(1)).isEqualTo(false);
        assertThat(ownNamespace()).isEqualTo(home);
    }

    @Test
    void failureOfTheWorkReachesTheCaller() {
        var namespace = namespaces.namespace();

        assertThatIllegalStateException()
                .isThrownBy(() -> namespace.inside(() -> {
                    throw new IllegalStateException("as planned");
                }))
                .withMessage("as planned");
    }

    @Test
    void workIsFinishedThoughTheCallerIsInterrupted() {
        var namespace = namespaces.namespace();
        Thread.currentThread().interrupt();

        var inside = namespace.inside(NamespaceTest::ownNamespace);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(inside).isNotEqualTo(ownNamespace());
    }

    @Test
    void virtualThreadsStayWhereTheyAre() throws Exception {
        var namespace = namespaces.namespace();
        var home = ownNamespace();

        var visited = together(300, () -> {
            var inside = namespace.inside(NamespaceTest::ownNamespace);
            return inside.equals(ownNamespace()) ? "not inside" : ownNamespace();
        });
        var afterwards = together(300, NamespaceTest::ownNamespace);

        assertThat(visited).containsOnly(home);
        assertThat(afterwards).containsOnly(home);
    }

    @Test
    void closedNamespaceIsNotUsed() {
        var namespace = namespaces.namespace();
        namespace.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> namespace.inside(NamespaceTest::ownNamespace))
                .withMessageContaining("is closed");
    }

    @Test
    void nothingStaysOpen() {
        var path = namespaces.namespace().path();
        openAndClose(path);
        int before = openFiles();

        for (int round = 0; round < 1_000; round++) {
            openAndClose(path);
        }

        assertThat(openFiles()).isEqualTo(before);
    }

    private static void openAndClose(String path) {
        try (var namespace = Namespace.open(path);
                var netlink = Netlink.open(namespace)) {
            assertThat(netlink.links().find("lo")).isPresent();
        }
    }

    /// Of this test's own kind only: class loading and the test runner open files as they please.
    private static int openFiles() {
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            return (int) files.filter(NamespaceTest::namespaceOrSocket).count();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static boolean namespaceOrSocket(Path file) {
        try {
            var target = Files.readSymbolicLink(file).toString();
            return target.startsWith("/run/netns/") || target.startsWith("net:") || target.startsWith("socket:");
        } catch (IOException gone) {
            return false;
        }
    }

    private static String ownNamespace() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/thread-self/ns/net")).toString();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static List<String> together(int count, Callable<String> work)
            throws InterruptedException, ExecutionException {
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<String>();
            for (Future<String> answer : executor.invokeAll(
                    IntStream.range(0, count).mapToObj(_ -> work).toList())) {
                answers.add(answer.get());
            }
            return answers;
        }
    }
}
