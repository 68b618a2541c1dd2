package io.cadastre.engine.hostlocal;

import static io.cadastre.engine.hostlocal.NodeNetwork.aRange;
import static io.cadastre.engine.hostlocal.NodeNetwork.address;
import static io.cadastre.engine.hostlocal.NodeNetwork.eth0Of;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.hostlocal.HostLocalAllocation.Allocated;
import io.cadastre.engine.hostlocal.HostLocalAllocation.Refused;
import io.cadastre.engine.hostlocal.HostLocalChange.Delete;
import io.cadastre.engine.hostlocal.HostLocalChange.NoteLast;
import io.cadastre.engine.hostlocal.HostLocalChange.Reserve;
import io.cadastre.engine.hostlocal.HostLocalReason.AsRequested;
import io.cadastre.engine.hostlocal.HostLocalReason.Chose;
import io.cadastre.engine.hostlocal.HostLocalReason.LastIsElsewhere;
import io.cadastre.engine.hostlocal.HostLocalReason.SearchedAfter;
import io.cadastre.engine.hostlocal.HostLocalReason.SearchedFrom;
import io.cadastre.engine.hostlocal.HostLocalRefusal.BySet;
import io.cadastre.engine.hostlocal.HostLocalRefusal.Exhausted;
import io.cadastre.engine.hostlocal.HostLocalRefusal.HoldsOne;
import io.cadastre.engine.hostlocal.HostLocalRefusal.IsGateway;
import io.cadastre.engine.hostlocal.HostLocalRefusal.IsTaken;
import io.cadastre.engine.hostlocal.HostLocalRefusal.LeftOver;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllocateTest {

    private static final HostLocalAttachment POD = eth0Of("pod");

    @Test
    void h01EachSetGivesItsFirstAddressAndIsNotedAfterIt() {
        var cluster = NodeNetwork.of("10.1.2.0/24,10.2.2.0/24", "2001:db8:1::/64");

        var decision = cluster.allocate(POD);

        assertThat(decision.outcome())
                .isEqualTo(new Allocated(List.of(
                        new LeasedAddress(address("10.1.2.2"), 24, address("10.1.2.1")),
                        new LeasedAddress(address("2001:db8:1::2"), 64, address("2001:db8:1::1")))));
        assertThat(decision.changes())
                .containsExactly(
                        new Reserve(address("10.1.2.2"), POD),
                        new NoteLast(0, address("10.1.2.2")),
                        new Reserve(address("2001:db8:1::2"), POD),
                        new NoteLast(1, address("2001:db8:1::2")));
        assertThat(decision.because())
                .containsExactly(
                        new SearchedFrom(0, address("10.1.2.1")),
                        new Chose(0, address("10.1.2.2")),
                        new SearchedFrom(1, address("2001:db8:1::1")),
                        new Chose(1, address("2001:db8:1::2")));
    }

    @Test
    void h03SecondRequestOfAnAttachmentIsRefusedAndAnotherContainerGetsTheNextAddress() {
        var cluster = NodeNetwork.of("10.1.2.0/24");
        cluster.given(POD);

        var again = cluster.refusal(POD);
        var other = cluster.given(eth0Of("other"));

        assertThat(again).isEqualTo(new BySet(0, new HoldsOne(address("10.1.2.2"), "pod")));
        assertThat(other).containsExactly("10.1.2.3");
    }

    @Test
    void otherInterfaceOfTheContainerGetsAnAddress() {
        var cluster = NodeNetwork.of("10.1.2.0/24");
        cluster.given(POD);

        assertThat(cluster.given(new HostLocalAttachment("pod", "eth1"))).containsExactly("10.1.2.3");
    }

    @Test
    void containerOfAnOldFileIsRefusedWhateverTheInterface() {
        var cluster = NodeNetwork.of("10.1.2.0/24").holding("  pod\n", "10.1.2.9");

        assertThat(cluster.refusal(POD)).isEqualTo(new BySet(0, new HoldsOne(address("10.1.2.9"), "pod")));
    }

    @Test
    void addressesHeldElsewhereDoNotCount() {
        var cluster = NodeNetwork.of("10.1.2.0/24")
                .holding(POD.words(), "10.7.7.7")
                .with(List.of(new FolderEntry("notes.txt", POD.words()), new FolderEntry("10.1.2.8", "pod\neth0")));

        assertThat(cluster.given(POD)).containsExactly("10.1.2.2");
    }

    @Test
    void fileInAFolderNamesItsHolderAndKeepsNoAddress() {
        var cluster = NodeNetwork.of("10.1.2.0/24")
                .with(List.of(new FolderEntry("old/10.1.2.2", eth0Of("other").words())));

        assertThat(cluster.given(POD)).containsExactly("10.1.2.2");
        assertThat(cluster.refusal(eth0Of("other")))
                .isEqualTo(new BySet(0, new HoldsOne(address("10.1.2.2"), "other")));
    }

    @Test
    void h07AddressThatWasGivenBackRests() {
        var cluster = NodeNetwork.of("192.168.1.0/29");
        cluster.given(POD);
        cluster.release(POD);

        var decision = cluster.allocate(POD);

        assertThat(decision.outcome())
                .isEqualTo(
                        new Allocated(List.of(new LeasedAddress(address("192.168.1.3"), 29, address("192.168.1.1")))));
        assertThat(decision.because()).contains(new SearchedAfter(0, address("192.168.1.2")));
    }

    @Test
    void h08SearchWrapsAround() {
        var cluster = NodeNetwork.of("192.168.1.0/29")
                .lastReserved(0, "192.168.1.5")
                .holding("other", "192.168.1.5", "192.168.1.6");

        assertThat(cluster.given(POD)).containsExactly("192.168.1.2");
    }

    @Test
    void h09LastReservedAddressComesLast() {
        var cluster = NodeNetwork.of("192.168.1.0/29")
                .lastReserved(0, "192.168.1.3")
                .holding("other", "192.168.1.2", "192.168.1.4", "192.168.1.5", "192.168.1.6");

        assertThat(cluster.given(POD)).containsExactly("192.168.1.3");
    }

    @Test
    void h10FullSetRefusesAndChangesNothing() {
        var cluster = NodeNetwork.of("192.168.1.0/29");
        for (int pod = 2; pod <= 6; pod++) {
            assertThat(cluster.given(eth0Of("pod-" + pod))).containsExactly("192.168.1." + pod);
        }

        var decision = cluster.allocate(POD);

        assertThat(decision.outcome())
                .isEqualTo(
                        new Refused(new BySet(0, new Exhausted(cluster.groups().getFirst()))));
        assertThat(((Refused) decision.outcome()).refusal().sentence())
                .isEqualTo("failed to allocate for range 0: no IP addresses available in range set:"
                        + " 192.168.1.1-192.168.1.6");
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void h11SearchGoesOnInTheNextRange() {
        var cluster = NodeNetwork.of("192.168.1.0/30,192.168.1.4/30").lastReserved(0, "192.168.1.2");

        assertThat(cluster.given(POD)).containsExactly("192.168.1.6");
        assertThat(cluster.given(eth0Of("other"))).containsExactly("192.168.1.2");
    }

    @Test
    void rangesAreSearchedInTheOrderTheyAreWritten() {
        var cluster = NodeNetwork.of("192.168.9.0/30,192.168.1.0/30");

        assertThat(cluster.given(POD)).containsExactly("192.168.9.2");
        assertThat(cluster.given(eth0Of("other"))).containsExactly("192.168.1.2");
    }

    @Test
    void h12LastReservedAddressOfAnotherConfigurationIsIgnored() {
        var cluster = NodeNetwork.of("192.168.1.0/29").lastReserved(0, "10.1.2.3");

        var decision = cluster.allocate(POD);

        assertThat(decision.because())
                .containsExactly(
                        new LastIsElsewhere(0, address("10.1.2.3")),
                        new SearchedFrom(0, address("192.168.1.1")),
                        new Chose(0, address("192.168.1.2")));
    }

    @Test
    void entryThatIsNotAFileTakesItsAddressAllTheSame() {
        var cluster = NodeNetwork.of("10.1.2.0/24").barring("10.1.2.2/31");

        assertThat(cluster.given(POD)).containsExactly("10.1.2.4");
    }

    @Test
    void namesInAnotherSpellingTakeTheirAddress() {
        var cluster =
                NodeNetwork.of("10.1.2.0/24", "2001:db8:1::/64").holding("other", "::ffff:10.1.2.2", "2001:DB8:1:0::2");

        assertThat(cluster.given(POD)).containsExactly("10.1.2.3", "2001:db8:1::3");
    }

    @Test
    void gatewayIsPassedOverInItsOwnRangeOnly() {
        var cluster = NodeNetwork.of(List.of(List.of(
                aRange("10.1.2.0/30").through(address("10.1.2.6")),
                aRange("10.1.2.4/30").through(address("10.1.2.5")))));

        assertThat(cluster.given(eth0Of("a"))).containsExactly("10.1.2.1");
        assertThat(cluster.given(eth0Of("b"))).containsExactly("10.1.2.2");
        assertThat(cluster.given(eth0Of("c"))).containsExactly("10.1.2.6");
        assertThat(cluster.refusal(eth0Of("d")))
                .isEqualTo(new BySet(0, new Exhausted(cluster.groups().getFirst())));
    }

    @Test
    void rangeOfNothingButItsGatewayIsFull() {
        var cluster = NodeNetwork.of(List.of(List.of(aRange("10.1.2.0/24")
                .from(address("10.1.2.9"))
                .to(address("10.1.2.9"))
                .through(address("10.1.2.9")))));

        assertThat(cluster.refusal(POD))
                .isEqualTo(new BySet(0, new Exhausted(cluster.groups().getFirst())));
    }

    @Test
    void searchEndsAtTheLastAddressOfTheFamily() {
        var cluster = NodeNetwork.of("255.255.255.252/30", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffc/126")
                .lastReserved(0, "255.255.255.254")
                .lastReserved(1, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")
                .holding("other", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe");

        assertThat(cluster.given(POD)).containsExactly("255.255.255.254", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
    }

    @Test
    void h13RequestedAddressIsGivenAndNoted() {
        var cluster = NodeNetwork.of("10.1.2.0/24").lastReserved(0, "10.1.2.7");

        var decision = cluster.allocate(POD, "10.1.2.88");

        assertThat(decision.changes())
                .containsExactly(new Reserve(address("10.1.2.88"), POD), new NoteLast(0, address("10.1.2.88")));
        assertThat(decision.because()).containsExactly(new AsRequested(0, address("10.1.2.88")));
    }

    @Test
    void requestedAddressIsGivenToAHolderOfAnotherAddress() {
        var cluster = NodeNetwork.of("10.1.2.0/24");
        cluster.given(POD);

        assertThat(cluster.given(POD, "10.1.2.88")).containsExactly("10.1.2.88");
    }

    @Test
    void setsOfWhichNothingIsRequestedGiveTheirNext() {
        var cluster = NodeNetwork.of("10.1.2.0/24", "10.1.3.0/24", "10.1.4.0/24");

        assertThat(cluster.given(POD, "10.1.4.9", "10.1.3.9")).containsExactly("10.1.2.2", "10.1.3.9", "10.1.4.9");
    }

    @Test
    void h14SecondRequestedAddressOfASetIsLeftOver() {
        var cluster = NodeNetwork.of("10.1.2.0/24", "10.1.3.0/24");

        var decision = cluster.allocate(POD, "10.1.2.88", "10.1.2.77");

        assertThat(decision.outcome()).isEqualTo(new Refused(new LeftOver(List.of(address("10.1.2.77")))));
        assertThat(cluster.paths()).isEmpty();
    }

    @Test
    void h15RequestedAddressThatIsTakenIsRefused() {
        var cluster = NodeNetwork.of("10.1.2.0/24").holding("other", "10.1.2.88");

        var refusal = cluster.refusal(POD, "10.1.2.88");

        assertThat(refusal)
                .isEqualTo(new BySet(
                        0, new IsTaken(address("10.1.2.88"), cluster.groups().getFirst())));
        assertThat(refusal.sentence())
                .isEqualTo("failed to allocate for range 0: requested IP address 10.1.2.88 is not"
                        + " available in range set 10.1.2.1-10.1.2.254");
    }

    @Test
    void requestedGatewayIsRefused() {
        var refusal = NodeNetwork.of("10.1.2.0/24").refusal(POD, "10.1.2.1");

        assertThat(refusal).isEqualTo(new BySet(0, new IsGateway(address("10.1.2.1"))));
        assertThat(refusal.sentence())
                .isEqualTo("failed to allocate for range 0: requested ip 10.1.2.1 is subnet's" + " gateway");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.1.2.0", "10.1.2.255", "10.9.9.9", "2001:db8::7"})
    void requestedAddressOutsideOfAllRangesIsLeftOver(String requested) {
        var refusal = NodeNetwork.of("10.1.2.0/24").refusal(POD, requested);

        assertThat(refusal.sentence()).isEqualTo("failed to allocate all requested IPs: " + requested);
    }

    @Test
    void refusalOfALaterSetTakesBackWhatWasHeldBeforeAndLeavesTheEarlierSetMoved() {
        var cluster = NodeNetwork.of("10.1.2.0/24", "10.1.3.0/30")
                .holding(POD.words(), "10.1.2.50")
                .holding("pod", "10.1.2.51")
                .holding("other", "10.1.3.2");

        var decision = cluster.allocate(POD, "10.1.2.88");

        assertThat(decision.outcome())
                .isEqualTo(
                        new Refused(new BySet(1, new Exhausted(cluster.groups().getLast()))));
        assertThat(decision.changes())
                .containsExactly(
                        new NoteLast(0, address("10.1.2.88")), new Delete(new FolderEntry("10.1.2.50", POD.words())));
    }

    @Test
    void h19SpacesAroundAContainerDoNotCount() {
        var cluster = NodeNetwork.of("10.1.2.0/24");

        cluster.allocate(new HostLocalAttachment("  dummy\n ", "eth0"));

        assertThat(cluster.view().entries()).containsExactly(new FolderEntry("10.1.2.2", "dummy\r\neth0"));
        assertThat(cluster.release(eth0Of("dummy")).outcome().entries()).hasSize(1);
    }
}
