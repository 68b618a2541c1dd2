package io.cadastre.cni.runtime;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A process with all that it started, and that those started in turn.
///
/// A process whose parent has ended is not a descendant of the first process any more. So the first process
/// carries a mark in its environment, which all others inherit, and by which they are found. One that
/// clears its environment and outlives its parent escapes.
final class ProcessTree {

    private static final int ROUNDS_MAX = 20;
    private static final int PATIENCE_MILLIS = 100;
    private static final Path PROCESSES = Path.of("/proc");

    private final Process root;
    private final String mark;

    /// @param mark the name of an environment variable that no other process has
    ProcessTree(Process root, String mark) {
        this.root = root;
        this.mark = mark;
    }

    /// Ends them all. New ones may be started meanwhile, so it looks again until there are none.
    void kill() {
        var known = root.descendants().toList();
        root.destroyForcibly();
        known.forEach(ProcessHandle::destroyForcibly);
        for (int round = 0; round < ROUNDS_MAX; round++) {
            var found = marked();
            if (found.isEmpty()) {
                return;
            }
            found.forEach(ProcessHandle::destroyForcibly);
            found.forEach(ProcessTree::awaitEnd);
        }
    }

    private static void awaitEnd(ProcessHandle process) {
        try {
            process.onExit().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException _) {
            // It is looked for again.
        }
    }

    private List<ProcessHandle> marked() {
        var found = new ArrayList<ProcessHandle>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (var process : processes) {
                if (isMarked(process)) {
                    ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
                            .ifPresent(found::add);
                }
            }
        } catch (IOException _) {
            // Only Linux has this folder. Elsewhere the descendants are all that can be known.
        }
        return found;
    }

    /// What has ended has no environment, even if its parent has not asked for its status yet.
    private boolean isMarked(Path process) {
        try {
            var environment = Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
            return ("\0" + environment).contains("\0" + mark + "=");
        } catch (IOException _) {
            // It is gone, or belongs to another user.
            return false;
        }
    }
}
