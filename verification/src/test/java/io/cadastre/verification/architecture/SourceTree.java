package io.cadastre.verification.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The files that people write: all below the root but what is built, and what tools keep for
/// themselves.
///
/// @param files from the root, with `/` between folders, in order
record SourceTree(Path root, List<String> files) {

    private static final Set<String> HIDDEN_AND_OURS = Set.of(".ci", ".editorconfig", ".gitignore");
    private static final Set<String> BUILT = Set.of("target", "node_modules");

    SourceTree {
        files = List.copyOf(files);
    }

    static SourceTree below(Path root) {
        var files = new ArrayList<String>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return folder.equals(root) || ours(folder)
                            ? FileVisitResult.CONTINUE
                            : FileVisitResult.SKIP_SUBTREE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (ours(file)) {
                        files.add(root.relativize(file).toString().replace('\\', '/'));
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return new SourceTree(root, files.stream().sorted().toList());
    }

    /// Files whose names end so.
    List<String> ending(String ending) {
        return files.stream().filter(file -> file.endsWith(ending)).toList();
    }

    boolean holds(String file) {
        return Files.exists(root.resolve(file));
    }

    String text(String file) {
        return Product.text(root.resolve(file));
    }

    List<String> lines(String file) {
        return text(file).lines().toList();
    }

    private static boolean ours(Path path) {
        var name = path.getFileName().toString();
        return name.startsWith(".") ? HIDDEN_AND_OURS.contains(name) : !BUILT.contains(name);
    }
}
