package io.cadastre.verification.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// What is tested here: the source tree and the classes built from it.
final class Product {

    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    /// The module that checks the sources of the others and has none that go into the product.
    private static final String CHECKS = "build-tools";

    private Product() {}

    /// The folder of the root pom, the nearest one above that lists modules.
    static Path root() {
        var start = Path.of("").toAbsolutePath();
        // Ends: the parent of the root of the file system is null.
        for (var folder = start; folder != null; folder = folder.getParent()) {
            var pom = folder.resolve("pom.xml");
            if (Files.exists(pom) && text(pom).contains("<modules>")) {
                return folder;
            }
        }
        throw new IllegalStateException("no pom.xml with modules in or above " + start);
    }

    /// The folders of the modules that the product is made of.
    static List<String> modules() {
        return MODULE.matcher(text(root().resolve("pom.xml")))
                .results()
                .map((MatchResult module) -> module.group(1))
                .filter(module -> !module.equals(CHECKS))
                .toList();
    }

    /// The packages of all modules: `datastore-etcd` lies in `io.cadastre.datastore.etcd`.
    static List<String> modulePackages() {
        return modules().stream()
                .map(module -> "io.cadastre." + module.replace('-', '.'))
                .toList();
    }

    /// The classes of all modules, without those of their tests.
    static JavaClasses classes() {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> !location.contains("-tests.jar"))
                .importPackages("io.cadastre");
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
