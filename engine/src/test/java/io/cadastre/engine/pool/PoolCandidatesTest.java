package io.cadastre.engine.pool;

import static io.cadastre.engine.pool.PoolBuilder.aPool;
import static io.cadastre.engine.pool.RequestBuilder.aPod;
import static io.cadastre.engine.pool.RequestBuilder.item;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.engine.pool.PoolFault.Rule;
import io.cadastre.engine.pool.PoolReason.ToldBy;
import io.cadastre.engine.pool.PoolRefusal.DuplicatePool;
import io.cadastre.engine.pool.PoolRefusal.MalformedPattern;
import io.cadastre.engine.pool.PoolRefusal.NoRules;
import io.cadastre.engine.pool.PoolRefusal.NothingNamed;
import io.cadastre.engine.pool.PoolRefusal.PoolOfSubnetUnknown;
import io.cadastre.engine.pool.PoolRefusal.UnknownPool;
import io.cadastre.engine.pool.PoolRefusal.UsedOut;
import io.cadastre.engine.pool.select.Glob;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which pools are asked for an address.
class PoolCandidatesTest {

    private static final PoolPreference SILENT = new PoolPreference.Silent();

    private static PoolPreference naming(String... pools) {
        return new PoolPreference.Single(new PoolNames(List.of(pools), List.of()));
    }

    private static PoolCluster fourPools() {
        return PoolCluster.of(
                aPool("a", "10.1.0.0/16", "10.1.0.1-10.1.0.9"),
                aPool("b", "10.2.0.0/16", "10.2.0.1-10.2.0.9"),
                aPool("c", "10.3.0.0/16", "10.3.0.1-10.3.0.9"),
                aPool("d", "10.4.0.0/16", "10.4.0.1-10.4.0.9").isDefault());
    }

    @Test
    @DisplayName("C30: the pod's word comes before the namespace's, the plugin's and the default")
    void whoIsNearerToThePodIsHeardFirst() {
        var cluster = fourPools();
        var all = aPod("x", "u1").wanting("a").byNamespace(naming("b")).configured(naming("c"));

        var byPod = cluster.given(all);
        var byNamespace = cluster.given(again(all, "y", "u2").byPod(SILENT));
        var byPlugin = cluster.given(again(all, "z", "u3").byPod(SILENT).byNamespace(SILENT));
        var byDefault = cluster.given(aPod("w", "u4"));

        assertThat(byPod).containsExactly("10.1.0.1/16");
        assertThat(byNamespace).containsExactly("10.2.0.1/16");
        assertThat(byPlugin).containsExactly("10.3.0.1/16");
        assertThat(byDefault).containsExactly("10.4.0.1/16");
    }

    private static RequestBuilder again(RequestBuilder asker, String name, String uid) {
        var preferences = asker.request().preferences();
        return aPod(name, uid)
                .byPod(preferences.pod())
                .byNamespace(preferences.namespace())
                .configured(preferences.configured());
    }

    @Test
    void whoseWordCountedIsAmongTheReasons() {
        var cluster = fourPools();

        var decision = cluster.allocate(aPod("x", "u1").byNamespace(naming("b", "a")));

        assertThat(decision.because()).contains(new ToldBy("the Namespace's annotation", List.of("b", "a"), "eth0"));
    }

    @Test
    void namespaceThatNamesNothingIsNotHeard() {
        var cluster = fourPools();

        var given = cluster.given(aPod("x", "u1").byNamespace(naming()).configured(naming("c")));

        assertThat(given).containsExactly("10.3.0.1/16");
    }

    @Test
    void podThatNamesNothingHidesAllOthers() {
        var cluster = fourPools();

        var refusal = cluster.refusal(aPod("x", "u1").wanting().configured(naming("c")));

        assertThat(refusal).isEqualTo(new NothingNamed("the Pod's annotation", "eth0"));
        assertThat(refusal.sentence()).contains("no IPPool available");
    }

    @Test
    void rulesAreNotMixed() {
        var cluster = PoolCluster.of(
                aPool("four", "10.1.0.0/16", "10.1.0.1-10.1.0.9"), aPool("six", "fd00::/64", "fd00::1-fd00::9"));

        var given = cluster.given(aPod("x", "u1")
                .byNamespace(new PoolPreference.Single(new PoolNames(List.of(), List.of("six"))))
                .configured(naming("four")));

        assertThat(given).containsExactly("fd00::1/64");
    }

    @Test
    void whatCannotBeReadRefusesOnlyIfItsTurnComes() {
        var cluster = fourPools();
        var asker = aPod("x", "u1").byNamespace(new PoolPreference.Broken("not an array"));

        var reached = cluster.refusal(asker);
        var hidden = cluster.given(asker.wanting("a"));

        assertThat(reached.sentence()).contains("not an array");
        assertThat(hidden).containsExactly("10.1.0.1/16");
    }

    @Test
    void poolOfASubnetIsRefusedByName() {
        var cluster = fourPools();

        var refusal = cluster.refusal(aPod("x", "u1").byPod(new PoolPreference.OfSubnet("ipam.spidernet.io/subnet")));

        assertThat(refusal).isEqualTo(new PoolOfSubnetUnknown("ipam.spidernet.io/subnet"));
        assertThat(refusal.sentence()).contains("no IPPool available", "'ipam.spidernet.io/subnet'");
    }

    @Test
    @DisplayName("C32: a pattern stands for the pools that it fits, the full ones too")
    void patternStandsForTheNamesThatItFits() {
        var cluster = PoolCluster.of(
                aPool("wild-2", "10.2.0.0/16", "10.2.0.1-10.2.0.9"),
                aPool("wild-1", "10.1.0.0/16", "10.1.0.1").holding("10.1.0.1", "default/other", "u9"),
                aPool("tame", "10.3.0.0/16", "10.3.0.1"));

        var decision = cluster.allocate(aPod("x", "u1").byNamespace(naming("wild-*")));

        assertThat(cluster.pool("wild-2").records()).hasSize(1);
        assertThat(decision.because())
                .contains(new ToldBy("the Namespace's annotation", List.of("wild-1", "wild-2"), "eth0"));
    }

    @Test
    void patternFitsOnlyPoolsOfItsFamily() {
        var cluster =
                PoolCluster.of(aPool("p-four", "10.1.0.0/16", "10.1.0.1"), aPool("p-six", "fd00::/64", "fd00::1"));

        var given = cluster.given(aPod("x", "u1").wanting("p-*"));

        assertThat(given).containsExactly("10.1.0.1/16");
    }

    @Test
    void patternThatFitsNothingVanishes() {
        var cluster = fourPools();

        var given = cluster.given(aPod("x", "u1").wanting("none-*", "b"));

        assertThat(given).containsExactly("10.2.0.1/16");
    }

    @Test
    void poolThatIsNamedAndFitsAPatternIsNamedTwice() {
        var cluster = fourPools();

        var refusal = cluster.refusal(aPod("x", "u1").wanting("[ab]", "a"));

        assertThat(refusal).isEqualTo(new DuplicatePool("a", "eth0"));
        assertThat(refusal.sentence()).contains("wrong input, duplicate IPPool a specified for NIC eth0");
    }

    @Test
    @DisplayName("C49: a pattern that is none refuses, and nothing is taken")
    void malformedPatternRefuses() {
        var cluster = fourPools();

        var refusal = cluster.refusal(aPod("x", "u1").wanting("[ippool]["));

        assertThat(refusal).isEqualTo(new MalformedPattern(Family.IPV4, "[ippool]["));
        assertThat(refusal.sentence()).contains("failed to match wildcard: IPv4 PoolName pattern '[ippool]['");
    }

    @Test
    void bracketThatIsNotClosedIsAPlainName() {
        var cluster = fourPools();

        var refusal = cluster.refusal(aPod("x", "u1").wanting("[a"));

        assertThat(refusal).isEqualTo(new UnknownPool("[a"));
    }

    @ParameterizedTest
    @CsvSource({
        "web-*,web-1,true",
        "web-*,web-,true",
        "web-?,web-1,true",
        "web-?,web-12,false",
        "*,anything,true",
        "*-v4,web-v4,true",
        "*-v4,web-v6,false",
        "w*b*4,web-a-v4,true",
        "web-[a-c],web-b,true",
        "web-[a-c],web-d,false",
        "web-[^a-c],web-d,true",
        "web-[abx],web-x,true",
        "web-\\*?,web-*1,true",
        "web-\\*?,web-11,false"
    })
    void patternsAreThoseOfAShell(String pattern, String name, boolean fits) throws Exception {
        assertThat(Glob.parse(pattern).matches(name)).isEqualTo(fits);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]a*", "[a-]*", "[-a]*", "*[", "[a]*\\", "[^]*"})
    void malformedPatternsAreFound(String pattern) {
        var cluster = fourPools();

        var refusal = cluster.refusal(aPod("x", "u1").wanting(pattern));

        assertThat(refusal).isEqualTo(new MalformedPattern(Family.IPV4, pattern));
    }

    @Test
    @DisplayName("C33: without any rule nothing is given")
    void noSourceNamesAPool() {
        var cluster = PoolCluster.of(aPool("a", "10.1.0.0/16", "10.1.0.1"));

        var refusal = cluster.refusal(aPod("x", "u1"));

        assertThat(refusal).isEqualTo(new NoRules());
        assertThat(refusal.sentence())
                .contains("no IPPool available, no pool selection rules of any type are specified");
    }

    @Test
    void unknownPoolRefusesEverything() {
        var cluster = fourPools();

        var refusal = cluster.refusal(aPod("x", "u1").wanting("a", "nope"));

        assertThat(refusal.sentence())
                .isEqualTo("failed to allocate IP addresses in standard mode: failed to get original"
                        + " IPPool nope: SpiderIPPool.spiderpool.spidernet.io \"nope\" not"
                        + " found");
    }

    @Test
    @DisplayName("C44: of equal pools the first that is listed is used up first")
    void equalPoolsAreUsedInTheirListedOrder() {
        var cluster = PoolCluster.of(
                aPool("a", "10.1.0.0/16", "10.1.0.1-10.1.0.20"), aPool("b", "10.2.0.0/16", "10.2.0.1-10.2.0.20"));

        for (int pod = 1; pod <= 20; pod++) {
            cluster.given(aPod("x" + pod, "u" + pod).wanting("b", "a"));
        }
        var next = cluster.given(aPod("x21", "u21").wanting("b", "a"));

        assertThat(cluster.pool("b").records()).hasSize(20);
        assertThat(next).containsExactly("10.1.0.1/16");
    }

    @Test
    @DisplayName("C45: a full pool is followed by the next")
    void fullPoolIsFollowedByTheNext() {
        var cluster = PoolCluster.of(
                aPool("full", "10.1.0.0/16", "10.1.0.1").holding("10.1.0.1", "default/other", "u9"),
                aPool("free", "10.2.0.0/16", "10.2.0.1"));

        var given = cluster.given(aPod("x", "u1").wanting("full", "free"));

        assertThat(given).containsExactly("10.2.0.1/16");
    }

    @Test
    @DisplayName("C46: when all are full the refusal names them")
    void allPoolsAreFull() {
        var cluster = PoolCluster.of(
                aPool("one", "10.1.0.0/16", "10.1.0.1").holding("10.1.0.1", "default/other", "u9"),
                aPool("two", "10.2.0.0/16"));

        var refusal = cluster.refusal(aPod("x", "u1").wanting("one", "two"));

        assertThat(refusal)
                .isEqualTo(new UsedOut(
                        Family.IPV4,
                        "eth0",
                        List.of("one", "two"),
                        List.of(
                                new PoolFault("one", Rule.USED_OUT, "all IP addresses used out"),
                                new PoolFault("two", Rule.USED_OUT, "all IP addresses used out"))));
        assertThat(refusal.sentence())
                .endsWith("failed to allocate any IPv4 IP address to NIC eth0 from IPPools [one two]:"
                        + " all IP addresses used out");
    }

    @Test
    @DisplayName("C47: one family alone is enough")
    void oneFamilyAloneIsEnough() {
        var cluster = fourPools();

        var given = cluster.given(aPod("x", "u1").wanting("a"));

        assertThat(given).containsExactly("10.1.0.1/16");
    }

    @Test
    @DisplayName("C48: of a family that is off nothing is given and its pools are not looked at")
    void familyThatIsOffIsLeftOut() {
        var cluster = fourPools();
        var onlyIpv4 = new PoolSettings(List.of(Family.IPV4), 5000);

        var given = cluster.given(aPod("x", "u1")
                .wanting(new PoolNames(List.of("a"), List.of("not-there")))
                .settings(onlyIpv4));

        assertThat(given).containsExactly("10.1.0.1/16");
    }

    @Test
    @DisplayName("C67: an interface that a list with names leaves out is refused")
    void nicThatIsNotListedIsRefused() {
        var cluster = fourPools();

        var refusal = cluster.refusal(aPod("x", "u1").wantingEach(item("net1", "a")));

        assertThat(refusal.sentence())
                .contains(
                        "wrong input, invalid format of Pod annotation 'ipam.spidernet.io/ippools'",
                        "interface eth0 must be specified");
    }

    @Test
    void listWithoutItemsIsRefused() {
        var cluster = fourPools();

        var refusal = cluster.refusal(aPod("x", "u1").wantingEach());

        assertThat(refusal.sentence()).contains("value requires at least one item");
    }

    @Test
    void listNamesAllInterfacesOrNone() {
        var cluster = fourPools();

        var refusal = cluster.refusal(aPod("x", "u1").wantingEach(item("eth0", "a"), item("", "b")));

        assertThat(refusal.sentence()).contains("NIC should be either all specified or all unspecified");
    }

    @Test
    void listNamesAnInterfaceOnce() {
        var cluster = fourPools();

        var refusal = cluster.refusal(aPod("x", "u1").wantingEach(item("eth0", "a"), item("eth0", "b")));

        assertThat(refusal.sentence()).contains("duplicate interface eth0");
    }

    @Test
    void defaultPoolsOfBothFamiliesGive() {
        var cluster = PoolCluster.of(
                aPool("four", "10.1.0.0/16", "10.1.0.1").isDefault(),
                aPool("six", "fd00::/64", "fd00::1").isDefault());

        var given = cluster.given(aPod("x", "u1"));

        assertThat(given).containsExactly("10.1.0.1/16", "fd00::1/64");
    }
}
