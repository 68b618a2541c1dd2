package io.cadastre.cni.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The rules of container runtimes: which of all networks they take.
class PickRuleTest {

    private static final PickRule KUBELET = new PickRule.Kubelet();
    private static final PickRule CRI_O = new PickRule.CriO("");

    @TempDir
    Path folder;

    private final List<String> passedOver = new ArrayList<>();
    private RuntimeFixture bench;

    @BeforeEach
    void setUp() {
        bench = new RuntimeFixture(folder);
    }

    private void broken(String file) {
        bench.network(file, "{");
    }

    private void list(String file, String name) {
        bench.network(file, "{\"name\":\"%s\",\"plugins\":[{\"type\":\"x\"}]}".formatted(name));
    }

    private void single(String file, String name) {
        bench.network(file, "{\"name\":\"%s\",\"type\":\"y\"}".formatted(name));
    }

    /// Finds the plugin of no network that is called `unsupported`.
    private List<String> pick(PickRule rule) {
        return new NetworkConfigFolder(bench.networks())
                .pick(rule, PickRuleTest::check, passedOver::add).stream()
                        .map(NetworkList::name)
                        .toList();
    }

    private static void check(NetworkList list) {
        if (list.name().equals("unsupported")) {
            throw new CniException(CniCode.UNKNOWN, "[plugin x does not support it]");
        }
    }

    @Test
    void kubeletTakesTheFirstFileWhateverItsEnding() {
        list("20-b.conflist", "b");
        single("10-a.conf", "a");
        single("30-c.json", "c");

        assertThat(pick(KUBELET)).containsExactly("a");
        assertThat(passedOver).isEmpty();
    }

    @Test
    void kubeletPassesOverWhatItCannotReadOrPluginsDoNotSupport() {
        broken("00-broken.conflist");
        list("10-old.conflist", "unsupported");
        list("20-good.conflist", "good");

        assertThat(pick(KUBELET)).containsExactly("good");
        assertThat(passedOver)
                .satisfiesExactly(
                        first -> assertThat(first).contains("00-broken.conflist: error parsing"),
                        second -> assertThat(second).endsWith("10-old.conflist: [plugin x does not support it]"));
    }

    @Test
    void kubeletThatFindsNothingSoundHasNoNetwork() {
        broken("00-broken.conf");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> pick(KUBELET))
                .withMessage("no net configurations found in " + bench.networks());
    }

    @Test
    void containerdTakesTheFirstOnlyUnlessConfiguredOtherwise() {
        list("10-a.conflist", "a");
        single("20-b.conf", "b");
        list("30-c.conflist", "c");

        assertThat(pick(PickRule.Containerd.DEFAULT)).containsExactly("a");
        assertThat(pick(new PickRule.Containerd(2))).containsExactly("a", "b");
        assertThat(pick(new PickRule.Containerd(9))).containsExactly("a", "b", "c");
    }

    @Test
    void containerdFailsWhollyIfOneOfThemCannotBeRead() {
        list("10-a.conflist", "a");
        broken("20-broken.conflist");

        assertThat(pick(PickRule.Containerd.DEFAULT)).containsExactly("a");
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> pick(new PickRule.Containerd(2)))
                .withMessageStartingWith("error parsing configuration list");
    }

    @Test
    void containerdDoesNotAskThePlugins() {
        list("10-old.conflist", "unsupported");

        assertThat(pick(PickRule.Containerd.DEFAULT)).containsExactly("unsupported");
    }

    @Test
    void criOTakesItsDefaultOrElseTheFirstThatIsSound() {
        broken("00-broken.conf");
        list("10-a.conflist", "a");
        list("20-b.conflist", "b");

        assertThat(pick(CRI_O)).containsExactly("a");
        assertThat(pick(new PickRule.CriO("b"))).containsExactly("b");
    }

    @Test
    void criOHasOneNetworkOfEachName() {
        list("10-a.conflist", "a");
        single("20-a.conf", "a");

        var picked = new NetworkConfigFolder(bench.networks())
                .pick(new PickRule.CriO("a"), PickRuleTest::check, passedOver::add);

        assertThat(picked.getFirst().plugins()).extracting(PluginEntry::type).containsExactly("x");
        assertThat(passedOver).singleElement().asString().contains("20-a.conf");
    }

    @Test
    void criOWithoutItsDefaultHasNoNetwork() {
        list("10-a.conflist", "a");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> pick(new PickRule.CriO("z")))
                .withMessage("no net configuration with name \"z\" in " + bench.networks());
    }

    @Test
    void folderWithoutFilesHasNoNetworkByAnyRule() {
        for (var rule : List.of(KUBELET, PickRule.Containerd.DEFAULT, CRI_O)) {
            assertThatExceptionOfType(CniException.class)
                    .isThrownBy(() -> pick(rule))
                    .withMessage("no net configurations found in " + bench.networks());
        }
    }
}
