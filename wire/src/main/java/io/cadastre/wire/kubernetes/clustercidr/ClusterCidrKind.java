package io.cadastre.wire.kubernetes.clustercidr;

import com.fasterxml.jackson.databind.JsonNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.book.ResourceKind;
import io.cadastre.wire.json.GoStruct;
import io.cadastre.wire.json.GoStruct.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// Ranges that nodes get blocks of. A plain name means the group of today, and the plural with the group behind it
/// either one.
public record ClusterCidrKind(ClusterCidrGroup group) implements ResourceKind {

    private static final String SHORT_NAME = "cc";
    private static final String NONE = "<none>";

    private static final GoStruct REQUIREMENT = GoStruct.of("key", "operator", "values");

    private static final GoStruct FIELDS = GoStruct.KUBERNETES_OBJECT.with(
            "spec",
            GoStruct.of("perNodeHostBits", "ipv4", "ipv6")
                    .with(
                            "nodeSelector*",
                            GoStruct.of()
                                    .with(
                                            "nodeSelectorTerms",
                                            GoStruct.of()
                                                    .with("matchExpressions", REQUIREMENT)
                                                    .with("matchFields", REQUIREMENT))));

    private static final List<PrinterColumn> COLUMNS = List.of(
            PrinterColumn.always("PERNODEHOSTBITS", "/spec/perNodeHostBits"),
            PrinterColumn.of("IPV4", PrinterColumn.Width.ALWAYS, document -> orNone(document.at("/spec/ipv4"))),
            PrinterColumn.of("IPV6", PrinterColumn.Width.ALWAYS, document -> orNone(document.at("/spec/ipv6"))),
            PrinterColumn.age("AGE"),
            PrinterColumn.of("NODESELECTOR", PrinterColumn.Width.WIDE, ClusterCidrKind::selector));

    @Override
    public Traits traits() {
        return new Traits(
                group.apiVersion(),
                ClusterCidrGroup.KIND,
                isDefault() ? ClusterCidrGroup.PLURAL : qualified(),
                List.of(group.keys()),
                FIELDS,
                COLUMNS);
    }

    private boolean isDefault() {
        return group == ClusterCidrGroup.CUSTOM;
    }

    private String qualified() {
        return group.resource().qualifiedPlural();
    }

    @Override
    public String singular() {
        var word = ResourceKind.super.singular();
        return isDefault() ? word : word + "." + group.group();
    }

    @Override
    public boolean isCalled(String typed) {
        var lower = typed.toLowerCase(Locale.ROOT);
        return ResourceKind.super.isCalled(typed)
                || lower.equals(qualified())
                || (isDefault() && lower.equals(SHORT_NAME));
    }

    @Override
    public Spelling spelling() {
        return Spelling.EXACT;
    }

    @Override
    public Bytes decode(String key, Bytes value) {
        return ClusterCidrDocument.decode(key, value).encode();
    }

    private static String orNone(JsonNode cidr) {
        return cidr.asText("").isEmpty() ? NONE : cidr.asText();
    }

    /// As Go prints the terms.
    private static String selector(JsonNode document) {
        var selector = document.at("/spec/nodeSelector");
        if (!selector.isObject()) {
            return NONE;
        }
        var terms = new ArrayList<String>();
        for (var term : selector.path("nodeSelectorTerms")) {
            addRequirements(terms, "MatchExpressions: ", term.path("matchExpressions"));
            addRequirements(terms, "MatchFields: ", term.path("matchFields"));
        }
        return String.join(",", terms);
    }

    private static void addRequirements(List<String> terms, String words, JsonNode requirements) {
        if (!requirements.isEmpty()) {
            terms.add(words
                    + elements(requirements)
                            .map(one -> "{%s %s %s}"
                                    .formatted(
                                            one.path("key").asText(),
                                            one.path("operator").asText(),
                                            elements(one.path("values"))
                                                    .map(JsonNode::asText)
                                                    .collect(Collectors.joining(" ", "[", "]"))))
                            .collect(Collectors.joining(" ", "[", "]")));
        }
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
