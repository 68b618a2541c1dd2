import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Rewrites the old classes of jars with a newer version number and the stack maps that it asks for. What
/// they do stays the same.
///
/// The cache of the JVM takes no class older than Java 6, and such classes are verified by a slower method.
/// picocli is compiled for Java 5, and every command loads much of it.
class ModernClasses {

    /// All classes from this version on have stack maps.
    private static final int VERSION = ClassFile.JAVA_7_VERSION;

    static void main(String[] arguments) throws IOException {
        for (var jar : arguments) {
            rewrite(Path.of(jar));
        }
    }

    private static void rewrite(Path jar) throws IOException {
        var changed = jar.resolveSibling(jar.getFileName() + ".new");
        try (var from = new JarFile(jar.toFile());
                var to = new ZipOutputStream(Files.newOutputStream(changed));
                var loader = new URLClassLoader(new URL[] {url(jar)})) {
            var file = ClassFile.of(
                    StackMapsOption.GENERATE_STACK_MAPS,
                    ConstantPoolSharingOption.NEW_POOL,
                    ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(loader)));
            for (var entry : Collections.list(from.entries())) {
                var written = new ZipEntry(entry.getName());
                written.setTimeLocal(entry.getTimeLocal());
                to.putNextEntry(written);
                try (var content = from.getInputStream(entry)) {
                    var bytes = content.readAllBytes();
                    to.write(entry.getName().endsWith(".class") ? modern(file, bytes) : bytes);
                }
                to.closeEntry();
            }
        }
        Files.move(changed, jar, StandardCopyOption.ATOMIC_MOVE);
    }

    private static URL url(Path jar) throws IOException {
        return URI.create(jar.toUri().toString()).toURL();
    }

    private static byte[] modern(ClassFile file, byte[] content) {
        var model = file.parse(content);
        return model.majorVersion() >= VERSION
                ? content
                : file.transformClass(
                        model,
                        ClassTransform.transformingMethodBodies((builder, element) -> builder.with(element))
                                .andThen(ClassTransform.endHandler(builder -> builder.withVersion(VERSION, 0))));
    }
}
