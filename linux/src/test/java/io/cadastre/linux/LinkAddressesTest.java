package io.cadastre.linux;

import static io.cadastre.linux.NetworkNamespaces.address;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class LinkAddressesTest {

    @AutoClose
    private final NetworkNamespaces namespaces = NetworkNamespaces.open();

    private final NetworkNamespaces.Wire wire = namespaces.wire();
    private final LinkAddresses here = wire.onHere().addresses();
    private final int left = wire.left().index();

    @Test
    void addressesOfBothFamiliesAreAddedAndListed() {
        here.add(LinkAddress.alone(left, address("10.0.0.7")));
        here.add(LinkAddress.within(left, address("10.1.0.7"), 24));
        here.add(LinkAddress.alone(left, address("fd00::7")).with(LinkAddress.Flag.NO_DAD));

        var listed = here.ofLink(left);

        assertThat(listed)
                .extracting(LinkAddress::toString)
                .contains("10.0.0.7/32 on link " + left, "10.1.0.7/24 on link " + left, "fd00::7/128 on link " + left);
        assertThat(listed)
                .filteredOn(found -> found.address().equals(address("10.0.0.7")))
                .singleElement()
                .satisfies(found -> assertThat(found.flags()).containsExactly(LinkAddress.Flag.PERMANENT));
    }

    @Test
    void onlyAddressesOfTheRequestedLinkAreListed() {
        here.add(LinkAddress.alone(1, address("127.0.0.9")));
        here.add(LinkAddress.alone(left, address("10.0.0.7")));

        assertThat(here.ofLink(left)).extracting(LinkAddress::linkIndex).containsOnly(left);
        assertThat(here.list()).extracting(LinkAddress::linkIndex).contains(1, left);
        assertThat(here.ofLink(4_711)).isEmpty();
    }

    @Test
    void addressThatIsThereAlreadyIsRefusedWithTheKernelsWords() {
        here.add(LinkAddress.alone(left, address("10.0.0.7")));

        var refused = refusal(() -> here.add(LinkAddress.alone(left, address("10.0.0.7"))));

        assertThat(refused.errno()).isEqualTo(Errno.EEXIST);
        assertThat(refused.explanation()).contains("ipv4: Address already assigned");
        assertThat(refused)
                .hasMessage(
                        "add address 10.0.0.7/32 on link %d: file exists: ipv4: Address already" + " assigned", left);
    }

    @Test
    void missingLinkIsRefused() {
        var refused = refusal(() -> here.add(LinkAddress.alone(4_711, address("10.0.0.7"))));

        assertThat(refused.errno()).isEqualTo(Errno.ENODEV);
    }

    @Test
    void deletedAddressIsGone() {
        var seven = LinkAddress.alone(left, address("10.0.0.7"));
        here.add(seven);

        here.delete(seven);

        assertThat(here.ofLink(left)).extracting(LinkAddress::address).doesNotContain(address("10.0.0.7"));
        assertThat(refusal(() -> here.delete(seven)).errno()).isEqualTo(Errno.EADDRNOTAVAIL);
    }

    @Test
    void ipv6AddressIsTentativeUntilTheKernelHasAskedAround() {
        here.add(LinkAddress.alone(left, address("fd00::7")));

        assertThat(find("fd00::7").tentative()).isTrue();
        await().atMost(Duration.ofSeconds(10)).until(() -> !find("fd00::7").tentative());
        assertThat(find("fd00::7").duplicate()).isFalse();
    }

    @Test
    void ipv6AddressOfAnotherHostIsADuplicate() {
        var there = wire.onThere().addresses();
        there.add(LinkAddress.alone(wire.right().index(), address("fd00::7")).with(LinkAddress.Flag.NO_DAD));

        here.add(LinkAddress.alone(left, address("fd00::7")));

        await().atMost(Duration.ofSeconds(10)).until(() -> find("fd00::7").duplicate());
        assertThat(find("fd00::7").tentative()).isFalse();
    }

    @Test
    void addressWithoutAskingAroundIsReadyAtOnce() {
        here.add(LinkAddress.alone(left, address("fd00::7")).with(LinkAddress.Flag.NO_DAD));

        assertThat(find("fd00::7").tentative()).isFalse();
    }

    @Test
    void prefixLengthThatTheFamilyDoesNotHaveIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> LinkAddress.within(1, address("10.0.0.7"), 33));
    }

    private LinkAddress find(String text) {
        return here.ofLink(left).stream()
                .filter(found -> found.address().equals(address(text)))
                .findFirst()
                .orElseThrow();
    }

    private static LinuxException refusal(Runnable change) {
        return catchThrowableOfType(LinuxException.class, change::run);
    }
}
