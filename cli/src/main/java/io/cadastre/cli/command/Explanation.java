package io.cadastre.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.cadastre.engine.Because;
import io.cadastre.engine.Change;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/// A decision that is explained and not carried out.
///
/// @param outcome a sentence
/// @param exitCode that of the command that carries it out
/// @param names what it is about, as `kind/name`
/// @param lists what a document says of it beside the reasons
public record Explanation(
        String node,
        String outcome,
        int exitCode,
        List<String> names,
        Map<String, List<String>> lists,
        List<Because> because,
        List<? extends Change> changes) {

    public Explanation {
        names = List.copyOf(names);
        lists = Map.copyOf(lists);
        because = List.copyOf(because);
        changes = List.copyOf(changes);
    }

    /// Prints it and returns the exit code.
    public int print(PrintStream out, Format format) {
        switch (format) {
            case TABLE, WIDE -> {
                out.println(outcome);
                because.forEach(reason -> out.println("  because " + reason.sentence()));
                changes.forEach(change -> out.println("  would " + change.sentence()));
                out.println("  nothing was written");
            }
            case NAME -> names.forEach(out::println);
            case JSON -> Documents.printJson(out, document());
            case YAML -> Documents.printYaml(out, document());
        }
        return exitCode;
    }

    private JsonNode document() {
        var document = JsonNodeFactory.instance.objectNode();
        document.put("kind", "Explanation").put("node", node).put("outcome", outcome);
        lists.forEach((name, values) -> values.forEach(document.putArray(name)::add));
        because.stream().map(Because::sentence).forEach(document.putArray("because")::add);
        changes.stream().map(Change::sentence).forEach(document.putArray("changes")::add);
        return document;
    }
}
