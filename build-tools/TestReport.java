import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/// Tells what the tests below a folder did: which failed, which did not run and why, and one line of
/// counts at the end. Ends with status 1 if any failed or did not run.
///
/// With `--skipped` it only lists the classes whose tests did not run for lack of something, and ends with
/// status 0: this is how a build on a machine without the real peers says what it left out.
///
/// A test class that left no report is what no tool complains about, so the reports are held against
/// the sources: every class in `src/test/java` that looks like a test must have run at least one.
class TestReport {

    /// Names that surefire runs.
    private static final Pattern TEST_NAME = Pattern.compile("Test\\w*|\\w*(Test|Tests|TestCase)");

    private static final Pattern TEST_METHOD =
            Pattern.compile("(?m)^\\s*@(Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\\b");

    private static final Pattern TYPE = Pattern.compile(
            "(?m)^(?:public |final |abstract |sealed |non-sealed )*" + "(?:class|record|enum|@?interface) ");

    private final Path root;
    private final List<String> failures = new ArrayList<>();
    private final TreeMap<String, TreeSet<String>> reasonsBySkippedClass = new TreeMap<>();
    private final TreeSet<String> classesThatRan = new TreeSet<>();
    private final TreeMap<String, String> reasonsByAbsentClass = new TreeMap<>();
    private int passed;
    private int skipped;

    private TestReport(Path root) {
        this.root = root;
    }

    static void main(String[] arguments) throws IOException, ParserConfigurationException, SAXException {
        boolean onlySkipped = arguments[0].equals("--skipped");
        var report = new TestReport(Path.of(arguments[onlySkipped ? 1 : 0]));
        report.readReports();
        if (onlySkipped) {
            report.printSkipped();
            return;
        }
        report.lookForAbsentClasses();
        report.print();
        System.exit(report.complete() ? 0 : 1);
    }

    private void readReports() throws IOException, ParserConfigurationException, SAXException {
        var builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        for (var file : files(".*/target/(surefire|failsafe)-reports/TEST-.*\\.xml")) {
            var cases = elements(builder.parse(file.toFile()).getElementsByTagName("testcase"));
            cases.forEach(this::count);
            if (!cases.isEmpty()) {
                // Inherited nested classes are reported as those of the class that has them.
                classesThatRan.add(outermost(file.getFileName().toString().replaceAll("^TEST-|\\.xml$", "")));
            }
        }
    }

    private void count(Element test) {
        var name = test.getAttribute("classname");
        var title = name + "." + test.getAttribute("name");
        var skip = children(test, "skipped");
        var failure = children(test, "failure");
        failure.addAll(children(test, "error"));
        if (!failure.isEmpty()) {
            failures.add(title + ": " + firstLine(failure.getFirst()));
        } else if (!skip.isEmpty()) {
            skipped++;
            reasonsBySkippedClass.computeIfAbsent(name, _ -> new TreeSet<>()).add(firstLine(skip.getFirst()));
        } else {
            passed++;
        }
        classesThatRan.add(outermost(name));
    }

    private void lookForAbsentClasses() throws IOException {
        for (var file : files(".*/src/test/java/.*\\.java")) {
            var source = Files.readString(file);
            var path = file.toString();
            var name = path.substring(path.indexOf("/src/test/java/") + 15, path.length() - 5)
                    .replace('/', '.');
            var named =
                    TEST_NAME.matcher(name.substring(name.lastIndexOf('.') + 1)).matches();
            var looksLikeATest = named || TEST_METHOD.matcher(source).find();
            if (looksLikeATest && !extendedByOthers(source) && !classesThatRan.contains(name)) {
                reasonsByAbsentClass.put(
                        name,
                        named
                                ? "it left no report: the build ended before it, or it has no tests"
                                : "surefire does not run a class of that name: let it end in Test");
            }
        }
    }

    /// Suites that others extend, and annotations.
    private static boolean extendedByOthers(String source) {
        var type = TYPE.matcher(source);
        return type.find()
                && (type.group().contains("abstract ") || type.group().contains("interface "));
    }

    private void print() {
        if (!failures.isEmpty()) {
            System.out.println("\nFailed:");
            failures.forEach(failure -> System.out.println("  " + failure));
        }
        if (!reasonsBySkippedClass.isEmpty() || !reasonsByAbsentClass.isEmpty()) {
            System.out.println("\nDid not run:");
            reasonsByAbsentClass.forEach((name, reason) -> System.out.println("  " + name + ": " + reason));
            printReasons();
        }
        System.out.printf("%n%d passed, %d failed, %d skipped%n", passed, failures.size(), skipped);
    }

    private void printSkipped() {
        if (!reasonsBySkippedClass.isEmpty()) {
            System.out.printf("%n%d tests did not run for lack of something that they need:%n", skipped);
            printReasons();
        }
    }

    private void printReasons() {
        reasonsBySkippedClass.forEach(
                (name, reasons) -> System.out.println("  " + name + ": " + String.join("; ", reasons)));
    }

    private boolean complete() {
        return passed > 0 && failures.isEmpty() && skipped == 0 && reasonsByAbsentClass.isEmpty();
    }

    private List<Path> files(String pattern) throws IOException {
        var wanted = Pattern.compile(pattern);
        try (var files = Files.walk(root)) {
            return files.filter(file -> wanted.matcher(file.toString()).matches())
                    .sorted()
                    .toList();
        }
    }

    private static String outermost(String name) {
        var dollar = name.indexOf('$');
        return dollar < 0 ? name : name.substring(0, dollar);
    }

    private static List<Element> children(Element parent, String tag) {
        return new ArrayList<>(elements(parent.getElementsByTagName(tag)));
    }

    private static List<Element> elements(NodeList nodes) {
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .toList();
    }

    private static String firstLine(Element ending) {
        var message = ending.getAttribute("message");
        var text = message.isBlank() ? ending.getTextContent() : message;
        return text.lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .map(line -> line.strip().replaceFirst("^[\\w.]+TestAbortedException: ", ""))
                .orElse("no reason was given");
    }
}
