package io.cadastre.verification.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// Code that breaks a rule, written in a test and compiled there, so that it may stand in any package
/// without ever being part of the product. What it depends on is planted beside it.
final class Planted {

    private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+);");
    private static final Pattern TYPE = Pattern.compile("(?:class|interface|record|enum) (\\w+)");

    private Planted() {}

    /// Compiles the sources into the folder and reads the classes from there.
    static JavaClasses compiled(Path folder, String... sources) {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var messages = new StringWriter();
        var options = List.of("-proc:none", "-d", folder.toString(), "-classpath", folder.toString());
        var units = Stream.of(sources).map(Source::new).toList();
        if (!compiler.getTask(messages, null, null, options, null, units).call()) {
            throw new IllegalArgumentException("planted code does not compile: " + messages);
        }
        return new ClassFileImporter().importPath(folder);
    }

    /// One line for each violation, which names the class at fault.
    static List<String> violations(ArchRule rule, JavaClasses planted) {
        return rule.evaluate(planted).getFailureReport().getDetails();
    }

    /// The source of a class of this name in which there is nothing.
    static String declaring(String qualifiedName) {
        int dot = qualifiedName.lastIndexOf('.');
        return "package %s; public class %s {}"
                .formatted(qualifiedName.substring(0, dot), qualifiedName.substring(dot + 1));
    }

    /// The source of a class `Planted` of the package that knows another class.
    static String knowing(String packageName, String known) {
        return "package %s; class Planted { %s known; }".formatted(packageName, known);
    }

    /// The source of a class `Planted` of the package that evaluates an expression.
    static String answering(String packageName, String expression) {
        return "package %s; class Planted { Object answer() { return %s; } }".formatted(packageName, expression);
    }

    private static String first(Pattern pattern, String source) {
        var matcher = pattern.matcher(source);
        if (!matcher.find()) {
            throw new IllegalArgumentException("no %s in: %s".formatted(pattern, source));
        }
        return matcher.group(1);
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String text) {
            var folder = first(PACKAGE, text).replace('.', '/');
            super(URI.create("planted:///%s/%s.java".formatted(folder, first(TYPE, text))), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
