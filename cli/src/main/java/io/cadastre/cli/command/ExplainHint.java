package io.cadastre.cli.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;

/// The line after a refusal that names the command that explains it.
public final class ExplainHint {

    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

    private ExplainHint() {}

    /// The command that explains why a command was refused.
    public static String of(CommandSpec refused) {
        return of(refused, Set.of());
    }

    /// The command that explains why a command was refused, without these arguments.
    public static String of(CommandSpec refused, Set<String> left) {
        var words = new ArrayList<>(List.of("cadastre", "explain"));
        boolean named = false;
        boolean valueFollows = false;
        for (var word : refused.root().commandLine().getParseResult().originalArgs()) {
            if (!named || valueFollows || !left.contains(word)) {
                words.add(quoted(word));
            }
            var option = refused.findOption(word);
            valueFollows = !valueFollows && option != null && option.arity().min() > 0;
            named |= word.equals(refused.name());
        }
        return "To see why, run: " + String.join(" ", words);
    }

    /// As a shell reads it.
    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'%s'".formatted(word.replace("'", "'\\''"));
    }
}
