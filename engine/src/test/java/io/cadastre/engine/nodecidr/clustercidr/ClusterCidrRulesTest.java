package io.cadastre.engine.nodecidr.clustercidr;

import static io.cadastre.engine.nodecidr.clustercidr.ClusterCidrCluster.aCatchAll;
import static io.cadastre.engine.nodecidr.clustercidr.ClusterCidrCluster.aClusterCidr;
import static io.cadastre.engine.nodecidr.clustercidr.ClusterCidrCluster.labelled;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterCidrRulesTest {

    @Test
    void aGoodClusterCidrBreaksNoRule() {
        var good = aClusterCidr("pool-1", 8, "10.0.0.0/16", "fd00::/112", labelled("example.com/pool=a"));

        assertThat(ClusterCidrRules.brokenInTree(good)).isEmpty();
        assertThat(ClusterCidrRules.brokenCustom(good)).isEmpty();
        assertThat(ClusterCidrRules.brokenInTree(good.spec(), good.spec())).isEmpty();
        assertThat(ClusterCidrRules.brokenCustom(good.spec(), good.spec())).isEmpty();
    }

    @Test
    void oneOfTheCidrsMustBeThere() {
        var neither = aCatchAll("a", 8, "", "");

        assertThat(ClusterCidrRules.brokenInTree(neither))
                .containsExactly("spec: Required value: one or both of `ipv4` and `ipv6` must be specified");
        assertThat(ClusterCidrRules.brokenCustom(neither))
                .containsExactly("spec: Invalid value: A CIDR must be specified for ipv4 or ipv6.");
    }

    @Test
    void eachCidrIsOneOfItsFamily() {
        assertThat(ClusterCidrRules.brokenInTree(aCatchAll("a", 8, "10.0.0.0", "")))
                .containsExactly("spec.IPv4: Invalid value: \"10.0.0.0\": must be a valid CIDR: 10.0.0.0");
        assertThat(ClusterCidrRules.brokenInTree(aCatchAll("a", 8, "fd00::/112", "10.0.0.0/16")))
                .contains(
                        "spec.IPv4: Invalid value: \"fd00::/112\": must be a valid IPv4 CIDR",
                        "spec.IPv6: Invalid value: \"10.0.0.0/16\": must be a valid IPv6 CIDR");
        assertThat(ClusterCidrRules.brokenCustom(aCatchAll("a", 8, "fd00::/112", "10.0.0.0/16")))
                .containsExactly(
                        "spec.ipv4: Invalid value: \"fd00::/112\": IPv4 must be a valid IPv4 CIDR.",
                        "spec.ipv6: Invalid value: \"10.0.0.0/16\": IPv6 must be a valid IPv6 CIDR.");
    }

    @Test
    void theCustomGroupReadsCidrsStrictlyAndTheOlderOneDoesNot() {
        for (var text : List.of("010.0.0.0/8", "10.0.0.0/08")) {
            assertThat(ClusterCidrRules.brokenInTree(aCatchAll("a", 8, text, "")))
                    .isEmpty();
            assertThat(ClusterCidrRules.brokenCustom(aCatchAll("a", 8, text, "")))
                    .containsExactly(
                            "spec.ipv4: Invalid value: \"%s\": IPv4 must be a valid IPv4 CIDR.".formatted(text));
        }
        assertThat(ClusterCidrRules.brokenCustom(aCatchAll("a", 8, "10.0.0.1/8", "FD00::1/112")))
                .isEmpty();
        assertThat(ClusterCidrRules.brokenCustom(aCatchAll("a", 8, "", "::ffff:10.0.0.0/104")))
                .hasSize(1);
    }

    @Test
    void hostBitsFitBothCidrs() {
        assertThat(ClusterCidrRules.brokenInTree(aCatchAll("a", 3, "10.0.0.0/16", "fd00::/112")))
                .containsExactly("spec.perNodeHostBits: Invalid value: 3: must be greater than or equal to 4");
        assertThat(ClusterCidrRules.brokenInTree(aCatchAll("a", 9, "10.0.0.0/24", "fd00::/112")))
                .containsExactly("spec.perNodeHostBits: Invalid value: 9: must be less than or equal to 8");
        assertThat(ClusterCidrRules.brokenCustom(aCatchAll("a", 3, "10.0.0.0/16", "fd00::/112")))
                .isEmpty();
    }

    @Test
    void theNameIsALabelOrADomain() {
        var dotted = aCatchAll("a.b", 8, "10.0.0.0/16", "");

        assertThat(ClusterCidrRules.brokenInTree(dotted))
                .containsExactly("metadata.name: Invalid value: \"a.b\": a lowercase RFC 1123 label must consist of"
                        + " lower case alphanumeric characters or '-', and must start and end with an alphanumeric"
                        + " character (e.g. 'my-name',  or '123-abc', regex used for validation is"
                        + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?')");
        assertThat(ClusterCidrRules.brokenCustom(dotted)).isEmpty();
        assertThat(ClusterCidrRules.brokenCustom(aCatchAll("A", 8, "10.0.0.0/16", "")))
                .singleElement()
                .asString()
                .startsWith("metadata.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must");
        assertThat(ClusterCidrRules.brokenInTree(aCatchAll("a".repeat(64), 8, "10.0.0.0/16", "")))
                .singleElement()
                .asString()
                .endsWith("must be no more than 63 characters");
    }

    @Test
    void nothingOfTheSpecChanges() {
        var before = aCatchAll("a", 8, "10.0.0.0/16", "").spec();
        var after = aClusterCidr("a", 4, "10.1.0.0/16", "fd00::/112", labelled("p=a"))
                .spec();

        assertThat(ClusterCidrRules.brokenInTree(before, after))
                .containsExactly(
                        "spec.nodeSelector: Invalid value: field is immutable",
                        "spec.perNodeHostBits: Invalid value: 4: field is immutable",
                        "spec.ipv4: Invalid value: \"10.1.0.0/16\": field is immutable",
                        "spec.ipv6: Invalid value: \"fd00::/112\": field is immutable");
        assertThat(ClusterCidrRules.brokenCustom(before, after))
                .containsExactly(
                        "spec: Invalid value: IPv4 cannot be changed.",
                        "spec: Invalid value: IPv6 cannot be changed.",
                        "spec: Invalid value: NodeSelector cannot be changed.",
                        "spec: Invalid value: PerNodeHostBits cannot be changed.");
    }

    @Test
    void eachRequirementOfASelectorMakesSense() {
        assertThat(broken("In"))
                .containsExactly(".values: Required value: must be specified when `operator` is 'In' or 'NotIn'");
        assertThat(broken("Exists", "v"))
                .containsExactly(
                        ".values: Forbidden: may not be specified when `operator` is 'Exists' or" + " 'DoesNotExist'");
        assertThat(broken("Gt", "1", "2"))
                .containsExactly(
                        ".values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'");
        assertThat(broken("Lt", "many"))
                .containsExactly(".values[0]: Invalid value: \"many\": for 'Gt', 'Lt' operators, the value must be an"
                        + " integer");
        assertThat(broken("in", "v"))
                .containsExactly(".operator: Invalid value: \"in\": not a valid selector operator");
        assertThat(broken("DoesNotExist")).isEmpty();
        assertThat(broken("Gt", "5")).isEmpty();
    }

    private static List<String> broken(String operator, String... values) {
        var requirement = new SelectorRequirement("k", operator, List.of(values));
        var selector = new NodeSelector.Terms(List.of(new NodeSelector.Term(List.of(requirement), List.of())));
        return ClusterCidrRules.brokenInTree(aClusterCidr("a", 8, "10.0.0.0/16", "", selector)).stream()
                .map(rule -> rule.replace("spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0]", ""))
                .toList();
    }

    @Test
    void aSelectorHasTermsAndItsKeysAreThoseOfLabels() {
        var empty = new NodeSelector.Terms(List.of());

        assertThat(ClusterCidrRules.brokenInTree(aClusterCidr("a", 8, "10.0.0.0/16", "", empty)))
                .containsExactly("spec.nodeSelector.nodeSelectorTerms: Required value: must have at least one node"
                        + " selector term");
        assertThat(ClusterCidrRules.brokenInTree(aClusterCidr("a", 8, "10.0.0.0/16", "", labelled("a b=c"))))
                .singleElement()
                .asString()
                .contains("matchExpressions[0].key: Invalid value: \"a b\": name part must consist of");
    }
}
