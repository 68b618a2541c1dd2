package io.cadastre.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/// Decisions that are not carried out.
@Command(
        name = "explain",
        description = "Show what a command would decide and why. Nothing is written.",
        footer = {
            "Examples:",
            "  cadastre explain pod shop/web-0",
            "  cadastre explain ipam assign --node node-1",
            "  cadastre explain node-cidr add node-1 --cluster-cidr 10.244.0.0/16"
        })
final class ExplainCommand {

    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

    @Command(name = "node-cidr", description = "Explain a decision about node CIDRs.")
    private static final class NodeCidr {}

    @Command(name = "cni", description = "Explain which addresses a CNI plugin would get.")
    private static final class Cni {}

    @Command(name = "ipam", description = "Explain a decision about blocks and addresses.")
    private static final class Ipam {}

    /// What to run to see why a command was refused: the same words, explained.
    static String hint(CommandSpec refused) {
        return hint(refused, Set.of());
    }

    /// What to run to see why a command was refused: the same words but for these arguments, explained.
    static String hint(CommandSpec refused, Set<String> left) {
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

    static CommandLine with(CommandContext context) {
        return new CommandLine(new ExplainCommand())
                .addSubcommand(new ExplainPod(context))
                .addSubcommand(new CommandLine(new Cni()).addSubcommand(new ExplainCniAdd(context)))
                .addSubcommand(new CommandLine(new Ipam()).addSubcommand(new ExplainIpamAssign(context)))
                .addSubcommand(new CommandLine(new NodeCidr()).addSubcommand(new ExplainNodeCidrAdd(context)));
    }
}
