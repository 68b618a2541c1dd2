package io.cadastre.engine.hostlocal;

import static io.cadastre.engine.hostlocal.NodeNetwork.address;
import static io.cadastre.engine.hostlocal.NodeNetwork.eth0Of;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.hostlocal.HostLocalChange.Delete;
import io.cadastre.engine.hostlocal.HostLocalReason.HoldsNothing;
import io.cadastre.engine.hostlocal.HostLocalReason.NamesAttachment;
import io.cadastre.engine.hostlocal.HostLocalReason.NamesContainer;
import io.cadastre.engine.hostlocal.HostLocalReason.NamesNoValidAttachment;
import io.cadastre.engine.hostlocal.HostLocalReason.SetIsFull;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Giving back, checking, collecting, and whether there is anything left to give.
class HostLocalReleaseTest {

    private static final HostLocalAttachment POD = eth0Of("pod");

    @Test
    void h02EveryAddressOfTheAttachmentIsGivenBackAndWhatWasReservedLastStays() {
        var cluster = NodeNetwork.of("10.1.2.0/24", "2001:db8:1::/64");
        cluster.given(POD);

        var decision = cluster.release(POD);

        assertThat(decision.changes())
                .containsExactly(
                        new Delete(new FolderEntry("10.1.2.2", POD.words())),
                        new Delete(new FolderEntry("2001:db8:1::2", POD.words())));
        assertThat(cluster.view().lastReserved(0)).contains(address("10.1.2.2"));
        assertThat(cluster.view().lastReserved(1)).contains(address("2001:db8:1::2"));
    }

    @Test
    void otherInterfacesAndContainersKeepTheirs() {
        var cluster = NodeNetwork.of("10.1.2.0/24")
                .holding("pod\r\neth1", "10.1.2.5")
                .holding("pod2\r\neth0", "10.1.2.6")
                .holding("pod\neth0", "10.1.2.7");

        var decision = cluster.release(POD);

        assertThat(decision.changes()).isEmpty();
        assertThat(decision.because()).containsExactly(new HoldsNothing(POD));
    }

    @Test
    void h05FileOfTheOldFormIsReleasedIfThereIsNoFileOfTheNewForm() {
        var old = new FolderEntry("10.1.2.5", "pod");

        var decision = NodeNetwork.of("10.1.2.0/24").with(List.of(old)).release(POD);

        assertThat(decision.outcome().entries()).containsExactly(old);
        assertThat(decision.because()).containsExactly(new NamesContainer(old));
    }

    @Test
    void filesOfTheOldFormStayIfThereIsOneOfTheNew() {
        var cluster = NodeNetwork.of("10.1.2.0/24").holding("pod", "10.1.2.5").holding(POD.words(), "10.1.2.6");

        var decision = cluster.release(POD);

        assertThat(decision.because()).containsExactly(new NamesAttachment(new FolderEntry("10.1.2.6", POD.words())));
        assertThat(cluster.paths()).containsExactly("10.1.2.5");
    }

    @Test
    void fileOfAnyNameIsGivenBackIfItNamesTheAttachment() {
        var cluster = NodeNetwork.of("10.1.2.0/24")
                .with(List.of(
                        new FolderEntry("notes.txt", POD.words() + "\n\n"),
                        new FolderEntry("old/deep", "\t" + POD.words())));

        cluster.release(POD);

        assertThat(cluster.paths()).isEmpty();
    }

    @Test
    void h06UnknownContainerHasGivenBack() {
        var decision = NodeNetwork.of("10.1.2.0/24").release(eth0Of("stranger"));

        assertThat(decision.outcome().entries()).isEmpty();
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void givingBackTwiceIsGivingBackOnce() {
        var cluster = NodeNetwork.of("10.1.2.0/24");
        cluster.given(POD);
        cluster.release(POD);

        assertThat(cluster.release(POD).changes()).isEmpty();
    }

    @Test
    void withdrawingTakesBackWhatTheRequestWasGivenOnly() {
        var cluster = NodeNetwork.of("10.1.2.0/24").holding(POD.words(), "10.1.2.50");
        cluster.given(POD, "10.1.2.88");

        cluster.enact(HostLocalEngine.withdraw(
                cluster.view(),
                POD,
                List.of(
                        new LeasedAddress(address("10.1.2.88"), 24, address("10.1.2.1")),
                        new LeasedAddress(address("10.1.2.99"), 24, address("10.1.2.1")))));

        assertThat(cluster.paths()).containsExactly("10.1.2.50");
    }

    @Test
    void withdrawingLeavesWhatAnotherGotSince() {
        var cluster = NodeNetwork.of("10.1.2.0/24").holding("other\r\neth0", "10.1.2.2");

        var decision = HostLocalEngine.withdraw(
                cluster.view(), POD, List.of(new LeasedAddress(address("10.1.2.2"), 24, address("10.1.2.1"))));

        assertThat(decision.changes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pod\r\neth0", "pod", " pod\r\neth0\n", "pod\r\n"})
    void checkFindsEitherForm(String content) {
        var cluster = NodeNetwork.of("10.1.2.0/24").holding(content, "10.1.2.5");

        assertThat(HostLocalEngine.check(cluster.view(), POD).outcome())
                .isEqualTo(new Presence.Found(List.of(new FolderEntry("10.1.2.5", content))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"pod\neth0", "pod\r\neth1", "pod2", "", "po"})
    void checkFindsNothingElse(String content) {
        var cluster = NodeNetwork.of("10.1.2.0/24").holding(content, "10.1.2.5");

        assertThat(HostLocalEngine.check(cluster.view(), POD).outcome()).isEqualTo(new Presence.Missing(POD));
    }

    @Test
    void collectingTakesBackWhatNoValidAttachmentHolds() {
        var cluster = NodeNetwork.of("10.1.2.0/24")
                .holding("valid\r\neth0", "10.1.2.2")
                .holding("valid\r\neth1", "10.1.2.3")
                .holding("gone\r\neth0", "10.1.2.4")
                .holding("", "10.1.2.5")
                .holding("a\r\nb\r\nc", "10.1.2.6");

        var decision = cluster.collect(eth0Of("valid"));

        assertThat(cluster.paths()).containsExactly("10.1.2.2");
        assertThat(decision.because())
                .contains(new NamesNoValidAttachment(new FolderEntry("10.1.2.4", "gone\r\neth0")));
    }

    @Test
    void collectingSparesOldFilesOfValidContainersAndEditedFiles() {
        var cluster = NodeNetwork.of("10.1.2.0/24")
                .holding("valid", "10.1.2.2")
                .holding("gone", "10.1.2.3")
                .holding("valid\neth0\n", "10.1.2.4");

        cluster.collect(eth0Of("valid"));

        assertThat(cluster.paths()).containsExactly("10.1.2.2", "10.1.2.4");
    }

    @Test
    void collectingSparesWhatNoPluginWrote() {
        var cluster = NodeNetwork.of("10.1.2.0/24")
                .with(List.of(
                        new FolderEntry("lock", ""),
                        new FolderEntry("last_reserved_ip.0", "10.1.2.2"),
                        new FolderEntry("notes.txt", "gone\r\neth0"),
                        new FolderEntry("old/10.1.2.2", "gone\r\neth0"),
                        new FolderEntry("10.1.2.2", "gone\r\neth0")));

        cluster.collect();

        assertThat(cluster.paths()).containsExactly("last_reserved_ip.0", "lock", "notes.txt", "old/10.1.2.2");
    }

    @Test
    void networkIsReadyWhileEverySetHasAFreeAddress() {
        var cluster = NodeNetwork.of("10.1.2.0/30", "10.1.3.0/30");

        var before = HostLocalEngine.status(cluster.view(), cluster.groups());
        cluster.holding("pod", "10.1.3.2");
        var after = HostLocalEngine.status(cluster.view(), cluster.groups());

        assertThat(before.outcome()).isEqualTo(new Readiness.Ready());
        assertThat(after.outcome())
                .isEqualTo(new Readiness.Full(List.of(cluster.groups().getLast())));
        assertThat(after.because())
                .containsExactly(new SetIsFull(1, cluster.groups().getLast()));
    }

    /// It appears in the ledger, which is printed as a table.
    @Test
    void fileIsPrintedOnOneLineWhateverItContains() {
        assertThat(new FolderEntry("10.1.2.2", "pod\r\neth0")).hasToString("10.1.2.2 of pod/eth0");
        assertThat(new FolderEntry("10.1.2.2", "a\u001b[2Jb")).hasToString("10.1.2.2 of a?[2Jb");
    }
}
