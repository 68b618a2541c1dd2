package io.cadastre.engine.demand;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.engine.demand.PodSelector.Comparison;
import io.cadastre.engine.demand.PodSelector.Expression;
import io.cadastre.engine.demand.PoolChoice.Choice;
import io.cadastre.engine.demand.PoolChoice.Choice.Chosen;
import io.cadastre.engine.demand.PoolChoice.Choice.Refused;
import io.cadastre.engine.demand.PoolChoice.ChoiceReason;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PoolChoiceTest {

    private static final String POD = "shop/web-0";

    private final TreeMap<String, String> podLabels = new TreeMap<>();
    private final TreeMap<String, String> podAnnotations = new TreeMap<>();
    private final TreeMap<String, String> namespaceLabels = new TreeMap<>();
    private final TreeMap<String, String> namespaceAnnotations = new TreeMap<>();
    private final List<SelectingPool> pools = new ArrayList<>();

    private PoolChoiceView view() {
        var pods = new TreeMap<String, LabeledObject>();
        pods.put(POD, new LabeledObject(podLabels, podAnnotations));
        pods.put("ghost/web-0", new LabeledObject(podLabels, podAnnotations));
        var namespaces = new TreeMap<String, LabeledObject>();
        namespaces.put("shop", new LabeledObject(namespaceLabels, namespaceAnnotations));
        return new PoolChoiceView(true, "default", pools, pods, namespaces);
    }

    private Choice choose(Family family) {
        return PoolChoice.choose(view(), POD, family).outcome();
    }

    private static PodSelector label(String key, String value) {
        var labels = new TreeMap<String, String>();
        labels.put(key, value);
        return new PodSelector(labels, List.of());
    }

    private void pool(String name, List<PodSelector> pods, List<PodSelector> namespaces, Family... families) {
        pools.add(new SelectingPool(
                name, families.length == 0 ? List.of(Family.values()) : List.of(families), pods, namespaces));
    }

    private static String refusal(Choice choice) {
        return ((Refused) choice).fault().sentence();
    }

    @Test
    void untilAllPoolsAreReadNoPodGetsAnAddress() {
        var view = new PoolChoiceView(false, "default", List.of(), new TreeMap<>(), new TreeMap<>());

        assertThat(refusal(PoolChoice.choose(view, "router", Family.IPV4).outcome()))
                .isEqualTo("ipam-metadata-manager has not synced all pod IP pools yet");
    }

    @ParameterizedTest
    @ValueSource(strings = {"router", "health", "ingress", "Shop/web", "shop/Web", "shop/", "/web", "a/b/c"})
    void whatIsNotAPodDrawsFromTheDefault(String owner) {
        podAnnotations.put("ipam.cilium.io/ip-pool", "mars");

        assertThat(PoolChoice.choose(view(), owner, Family.IPV4).outcome()).isEqualTo(new Chosen("default"));
    }

    @Test
    void withoutAnythingThePoolIsTheDefault() {
        var decision = PoolChoice.choose(view(), POD, Family.IPV4);

        assertThat(decision.outcome()).isEqualTo(new Chosen("default"));
        assertThat(decision.because()).containsExactly(new ChoiceReason.Default("default"));
    }

    @Test
    void anUnknownPodOrNamespaceIsAnError() {
        assertThat(refusal(PoolChoice.choose(view(), "shop/web-1", Family.IPV4).outcome()))
                .isEqualTo("resource Pod \"shop/web-1\" not found");
        assertThat(refusal(PoolChoice.choose(view(), "ghost/web-0", Family.IPV4).outcome()))
                .isEqualTo("resource Namespace \"ghost\" not found");
    }

    @ParameterizedTest
    @CsvSource({
        "ip-pool,mars,IPV4,mars",
        "ip-pool,mars,IPV6,mars",
        "ipv4-pool,mars,IPV4,mars",
        "ipv4-pool,mars,IPV6,both",
        "ipv6-pool,mars,IPV6,mars"
    })
    void ci45AnAnnotationOfAFamilyIsForThatFamilyAndTheGeneralOneForBoth(
            String annotation, String pool, Family family, String chosen) {
        podAnnotations.put("ipam.cilium.io/ip-pool", "both");
        podAnnotations.put("ipam.cilium.io/" + annotation, pool);

        assertThat(choose(family)).isEqualTo(new Chosen(chosen));
    }

    @Test
    void theAnnotationOfThePodCountsBeforeThatOfItsNamespace() {
        namespaceAnnotations.put("ipam.cilium.io/ipv4-pool", "venus");
        var before = choose(Family.IPV4);
        podAnnotations.put("ipam.cilium.io/ip-pool", "mars");

        assertThat(before).isEqualTo(new Chosen("venus"));
        assertThat(choose(Family.IPV4)).isEqualTo(new Chosen("mars"));
        assertThat(PoolChoice.choose(view(), POD, Family.IPV4).because())
                .containsExactly(new ChoiceReason.Annotated("pod", "ipam.cilium.io/ip-pool", "mars"));
    }

    @Test
    void aPoolIsChosenByTheLabelsOfThePodAndOfItsNamespaceTogether() {
        podLabels.put("tier", "web");
        namespaceLabels.put("team", "a");
        pool("both", List.of(label("tier", "web")), List.of(label("team", "a")));
        pool("other", List.of(label("tier", "web")), List.of(label("team", "b")));
        pool("named", List.of(label("io.kubernetes.pod.name", "web-1")), List.of());

        assertThat(choose(Family.IPV4)).isEqualTo(new Chosen("both"));
    }

    @Test
    void theNameAndTheNamespaceOfAPodAreLabelsToo() {
        pool("a", List.of(label("io.kubernetes.pod.name", "web-0")), List.of());

        assertThat(choose(Family.IPV4)).isEqualTo(new Chosen("a"));
        pools.clear();
        pool("b", List.of(label("io.kubernetes.pod.namespace", "shop")), List.of());
        assertThat(choose(Family.IPV4)).isEqualTo(new Chosen("b"));
    }

    @Test
    void aPoolOfTheOtherFamilyOrWithoutSelectorsDoesNotMatch() {
        podLabels.put("tier", "web");
        pool("v6", List.of(label("tier", "web")), List.of(), Family.IPV6);
        pool("plain", List.of(), List.of());

        assertThat(choose(Family.IPV4)).isEqualTo(new Chosen("default"));
        assertThat(choose(Family.IPV6)).isEqualTo(new Chosen("v6"));
    }

    @Test
    void ci47TwoPoolsThatMatchAreAnError() {
        podLabels.put("tier", "web");
        pool("a", List.of(label("tier", "web")), List.of());
        pool("b", List.of(new PodSelector(new TreeMap<>(), List.of())), List.of());

        assertThat(refusal(choose(Family.IPV4)))
                .isEqualTo("multiple CiliumPodIPPools match pod shop/web-0 (family=ipv4): [a b]");
    }

    @Test
    void ci48WhereAMatchIsRequiredTheDefaultIsNotTaken() {
        namespaceAnnotations.put("ipam.cilium.io/require-pool-match", "true");
        var ofNamespace = choose(Family.IPV6);
        podAnnotations.put("ipam.cilium.io/require-pool-match", "true");

        assertThat(refusal(ofNamespace))
                .isEqualTo("no matching CiliumPodIPPool found for pod shop/web-0 (family=ipv6) and require-pool-match"
                        + " annotation is set on namespace");
        assertThat(refusal(choose(Family.IPV6))).endsWith("annotation is set on pod");
        assertThat(PoolChoice.choose(view(), POD, Family.IPV4).changes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"IN,true", "NOT_IN,false", "EXISTS,true", "DOES_NOT_EXIST,false"})
    void labelsAreComparedAsKubernetesDoes(Comparison comparison, boolean matches) {
        var expression = new Expression("tier", comparison, List.of("web", "db"));
        var selector = new PodSelector(new TreeMap<>(), List.of(expression));
        var labels = new TreeMap<String, String>();

        boolean without = selector.matches(labels);
        labels.put("tier", "web");

        assertThat(selector.matches(labels)).isEqualTo(matches);
        assertThat(without).isEqualTo(!matches);
    }
}
