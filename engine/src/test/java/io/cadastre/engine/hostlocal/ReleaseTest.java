package io.cadastre.engine.hostlocal;

import static io.cadastre.engine.hostlocal.World.address;
import static io.cadastre.engine.hostlocal.World.eth0Of;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.hostlocal.HostLocalChange.Delete;
import io.cadastre.engine.hostlocal.HostLocalReason.HoldsNothing;
import io.cadastre.engine.hostlocal.HostLocalReason.NamesAttachment;
import io.cadastre.engine.hostlocal.HostLocalReason.NamesContainer;
import io.cadastre.engine.hostlocal.HostLocalReason.NamesNobodyValid;
import io.cadastre.engine.hostlocal.HostLocalReason.SetIsFull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// Giving back, checking, collecting, and whether there is anything left to give.
class ReleaseTest {

    private static final Attachment POD = eth0Of("pod");

    @Test
    void h02EveryAddressOfTheAttachmentIsGivenBackAndWhatWasReservedLastStays() {
        var world = World.of("10.1.2.0/24", "2001:db8:1::/64");
        world.given(POD);

        var decision = world.release(POD);

        assertThat(decision.changes())
                .containsExactly(
                        new Delete(new Entry("10.1.2.2", POD.words())),
                        new Delete(new Entry("2001:db8:1::2", POD.words())));
        assertThat(world.view().lastReserved(0)).contains(address("10.1.2.2"));
        assertThat(world.view().lastReserved(1)).contains(address("2001:db8:1::2"));
    }

    @Test
    void otherInterfacesAndContainersKeepTheirs() {
        var world =
                World.of("10.1.2.0/24")
                        .holding("pod\r\neth1", "10.1.2.5")
                        .holding("pod2\r\neth0", "10.1.2.6")
                        .holding("pod\neth0", "10.1.2.7");

        var decision = world.release(POD);

        assertThat(decision.changes()).isEmpty();
        assertThat(decision.because()).containsExactly(new HoldsNothing(POD));
    }

    @Test
    void h05FileOfTheOldFormIsGivenBackIfThereIsNoneOfTheNew() {
        var old = new Entry("10.1.2.5", "pod");

        var decision = World.of("10.1.2.0/24").with(List.of(old)).release(POD);

        assertThat(decision.outcome().entries()).containsExactly(old);
        assertThat(decision.because()).containsExactly(new NamesContainer(old));
    }

    @Test
    void filesOfTheOldFormStayIfThereIsOneOfTheNew() {
        var world =
                World.of("10.1.2.0/24").holding("pod", "10.1.2.5").holding(POD.words(), "10.1.2.6");

        var decision = world.release(POD);

        assertThat(decision.because())
                .containsExactly(new NamesAttachment(new Entry("10.1.2.6", POD.words())));
        assertThat(world.paths()).containsExactly("10.1.2.5");
    }

    @Test
    void fileOfAnyNameIsGivenBackIfItNamesTheAttachment() {
        var world =
                World.of("10.1.2.0/24")
                        .with(
                                List.of(
                                        new Entry("notes.txt", POD.words() + "\n\n"),
                                        new Entry("old/deep", "\t" + POD.words())));

        world.release(POD);

        assertThat(world.paths()).isEmpty();
    }

    @Test
    void h06UnknownContainerHasGivenBack() {
        var decision = World.of("10.1.2.0/24").release(eth0Of("stranger"));

        assertThat(decision.outcome().entries()).isEmpty();
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void givingBackTwiceIsGivingBackOnce() {
        var world = World.of("10.1.2.0/24");
        world.given(POD);
        world.release(POD);

        assertThat(world.release(POD).changes()).isEmpty();
    }

    @Test
    void withdrawingTakesBackWhatTheRequestWasGivenOnly() {
        var world = World.of("10.1.2.0/24").holding(POD.words(), "10.1.2.50");
        world.given(POD, "10.1.2.88");

        world.enact(
                HostLocalEngine.withdraw(
                        world.view(),
                        POD,
                        List.of(
                                new Lease(address("10.1.2.88"), 24, address("10.1.2.1")),
                                new Lease(address("10.1.2.99"), 24, address("10.1.2.1")))));

        assertThat(world.paths()).containsExactly("10.1.2.50");
    }

    @Test
    void withdrawingLeavesWhatAnotherGotSince() {
        var world = World.of("10.1.2.0/24").holding("other\r\neth0", "10.1.2.2");

        var decision =
                HostLocalEngine.withdraw(
                        world.view(),
                        POD,
                        List.of(new Lease(address("10.1.2.2"), 24, address("10.1.2.1"))));

        assertThat(decision.changes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pod\r\neth0", "pod", " pod\r\neth0\n", "pod\r\n"})
    void checkFindsEitherForm(String content) {
        var world = World.of("10.1.2.0/24").holding(content, "10.1.2.5");

        assertThat(HostLocalEngine.check(world.view(), POD).outcome())
                .isEqualTo(new Presence.Found(List.of(new Entry("10.1.2.5", content))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"pod\neth0", "pod\r\neth1", "pod2", "", "po"})
    void checkFindsNothingElse(String content) {
        var world = World.of("10.1.2.0/24").holding(content, "10.1.2.5");

        assertThat(HostLocalEngine.check(world.view(), POD).outcome())
                .isEqualTo(new Presence.Missing(POD));
    }

    @Test
    void collectingTakesBackWhatNoValidAttachmentHolds() {
        var world =
                World.of("10.1.2.0/24")
                        .holding("valid\r\neth0", "10.1.2.2")
                        .holding("valid\r\neth1", "10.1.2.3")
                        .holding("gone\r\neth0", "10.1.2.4")
                        .holding("", "10.1.2.5")
                        .holding("a\r\nb\r\nc", "10.1.2.6");

        var decision = world.collect(eth0Of("valid"));

        assertThat(world.paths()).containsExactly("10.1.2.2");
        assertThat(decision.because())
                .contains(new NamesNobodyValid(new Entry("10.1.2.4", "gone\r\neth0")));
    }

    @Test
    void collectingSparesOldFilesOfValidContainersAndFilesThatSomebodyEdited() {
        var world =
                World.of("10.1.2.0/24")
                        .holding("valid", "10.1.2.2")
                        .holding("gone", "10.1.2.3")
                        .holding("valid\neth0\n", "10.1.2.4");

        world.collect(eth0Of("valid"));

        assertThat(world.paths()).containsExactly("10.1.2.2", "10.1.2.4");
    }

    @Test
    void collectingSparesWhatNoPluginWrote() {
        var world =
                World.of("10.1.2.0/24")
                        .with(
                                List.of(
                                        new Entry("lock", ""),
                                        new Entry("last_reserved_ip.0", "10.1.2.2"),
                                        new Entry("notes.txt", "gone\r\neth0"),
                                        new Entry("old/10.1.2.2", "gone\r\neth0"),
                                        new Entry("10.1.2.2", "gone\r\neth0")));

        world.collect();

        assertThat(world.paths())
                .containsExactly("last_reserved_ip.0", "lock", "notes.txt", "old/10.1.2.2");
    }

    @Test
    void networkIsReadyWhileEverySetHasAFreeAddress() {
        var world = World.of("10.1.2.0/30", "10.1.3.0/30");

        var before = HostLocalEngine.status(world.view(), world.groups());
        world.holding("pod", "10.1.3.2");
        var after = HostLocalEngine.status(world.view(), world.groups());

        assertThat(before.outcome()).isEqualTo(new Readiness.Ready());
        assertThat(after.outcome())
                .isEqualTo(new Readiness.Full(List.of(world.groups().getLast())));
        assertThat(after.because()).containsExactly(new SetIsFull(1, world.groups().getLast()));
    }

    /// It is told in the ledger, which is printed as a table.
    @Test
    void fileIsToldOnOneLineWhateverIsInIt() {
        assertThat(new Entry("10.1.2.2", "pod\r\neth0")).hasToString("10.1.2.2 of pod/eth0");
        assertThat(new Entry("10.1.2.2", "a\u001b[2Jb")).hasToString("10.1.2.2 of a?[2Jb");
    }
}
