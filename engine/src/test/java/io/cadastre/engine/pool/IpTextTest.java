package io.cadastre.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.RangeSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IpTextTest {

    @ParameterizedTest
    @CsvSource({
        "IPV4,10.0.0.1,10.0.0.1",
        "IPV4,10.0.0.1-10.0.0.1,10.0.0.1",
        "IPV4,10.0.0.1-10.0.0.9,10.0.0.1-10.0.0.9",
        "IPV6,FD00::0001-fd00::a,fd00::1-fd00::a"
    })
    void rangesAreReadAndWritten(Family family, String text, String canonical) {
        assertThat(IpText.range(family, text).map(IpText::text)).contains(canonical);
    }

    @ParameterizedTest
    @CsvSource({
        "IPV4,10.0.0.0/28",
        "IPV4,10.0.0.1 - 10.0.0.9",
        "IPV4,10.0.0.1-10.0.0.2-10.0.0.3",
        "IPV4,10.0.0.1-fd00::1",
        "IPV4,fd00::1",
        "IPV4,10.0.0.9-10.0.0.1",
        "IPV4,10.0.0.01",
        "IPV4,''",
        "IPV6,fe80::1%eth0",
        "IPV6,10.0.0.1"
    })
    void otherTextsAreNotRanges(Family family, String text) {
        assertThat(IpText.range(family, text)).isEmpty();
    }

    @Test
    void reversedRangeIsDistinguishedFromNonsense() {
        assertThat(IpText.reversed(Family.IPV4, "10.0.0.9-10.0.0.1")).isTrue();
        assertThat(IpText.reversed(Family.IPV4, "10.0.0.1-10.0.0.9")).isFalse();
        assertThat(IpText.reversed(Family.IPV4, "nonsense")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "172.31.192.0/20,172-31-192-0-20",
        "172.18.40.0/24,172-18-40-0-24",
        "fd00:db8::/32,fd00-db8---32",
        "fd00:40::/64,fd00-40---64"
    })
    void cidrIsWrittenAsTheValueOfALabel(String cidr, String label) {
        assertThat(IpText.label(Prefix.parse(cidr))).isEqualTo(label);
    }

    @ParameterizedTest
    @CsvSource({"10.6.0.5/24,10.6.0.0/24", "10.6.0.0/24,10.6.0.0/24", "fd00::1/64,fd00::/64"})
    void networkOfACidrIsFound(String text, String network) {
        assertThat(IpText.network(text)).contains(Prefix.parse(network));
    }

    @ParameterizedTest
    @CsvSource({"10.6.0.0/33", "abc", "10.6.0.0", "10.6.0.0/", "10.6.0.0/08", "10.6.0.0/-1"})
    void otherTextsAreNotCidrs(String text) {
        assertThat(IpText.network(text)).isEmpty();
    }

    @Test
    void setIsWrittenInItsFewestRanges() {
        var set = new RangeSet(List.of(
                IpText.range(Family.IPV4, "172.18.40.3-172.18.40.6").orElseThrow(),
                IpText.range(Family.IPV4, "172.18.40.1-172.18.40.4").orElseThrow(),
                IpText.range(Family.IPV4, "172.18.40.10").orElseThrow()));

        assertThat(IpText.texts(set)).containsExactly("172.18.40.1-172.18.40.6", "172.18.40.10");
        assertThat(IpText.count(set)).isEqualTo(7);
    }
}
