package io.cadastre.cli.command;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Plain sentences for errors of Calico and Kubernetes that contain values as Go prints them or name another
/// program. Scripts compare upstream's words, so they follow after the plain ones.
enum PlainWords {
    MISSING("resource does not exist: (\\w+)\\((?:\\w+=)?([^)]*)\\) with error: <nil>"),
    THERE("resource already exists: (\\w+)\\((?:\\w+=)?([^)]*)\\) with error: <nil>"),
    CIDR("invalid CIDR\\[\\d+]: <nil> \\(invalid CIDR address: (.*?)\\)"),
    UNLOCKED("datastore is not locked\\. Run the `calicoctl datastore migrate lock` command");

    private final Pattern upstream;

    PlainWords(String upstream) {
        this.upstream = Pattern.compile(upstream);
    }

    /// The sentence with a plain one before upstream's words, if it contains any.
    static String before(String sentence) {
        for (var each : List.of(values())) {
            var matcher = each.upstream.matcher(sentence);
            if (matcher.find()) {
                return "%s%s: %s"
                        .formatted(
                                sentence.substring(0, matcher.start()),
                                each.plain(matcher.toMatchResult()),
                                sentence.substring(matcher.start()));
            }
        }
        return sentence;
    }

    private String plain(MatchResult found) {
        return switch (this) {
            case MISSING -> "%s '%s' does not exist".formatted(kind(found.group(1)), found.group(2));
            case THERE ->
                "%s '%s' exists already; change it with apply".formatted(kind(found.group(1)), found.group(2));
            case CIDR -> "'%s' is not a CIDR such as 10.79.0.0/16".formatted(found.group(1));
            case UNLOCKED ->
                "the datastore must be locked; first apply a ClusterInformation 'default' with"
                        + " spec.datastoreReady: false";
        };
    }

    private static String kind(String upstream) {
        return switch (upstream) {
            case "IPAMHandleKey" -> "handle";
            case "BlockKey" -> "block";
            default -> upstream;
        };
    }
}
