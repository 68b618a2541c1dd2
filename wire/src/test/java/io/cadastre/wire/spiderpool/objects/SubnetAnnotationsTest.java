package io.cadastre.wire.spiderpool.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.engine.pool.subnet.AddressNumber;
import io.cadastre.engine.pool.subnet.ReclaimPolicy;
import io.cadastre.engine.pool.subnet.RequestedSubnets;
import io.cadastre.engine.pool.subnet.RequestedSubnets.Asked;
import io.cadastre.engine.pool.subnet.RequestedSubnets.Item;
import io.cadastre.wire.spiderpool.workload.SubnetAnnotations;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the pods of an application say about subnets.
class SubnetAnnotationsTest {

    private static final List<Family> BOTH = List.of(Family.IPV4, Family.IPV6);

    private static RequestedSubnets read(String... annotations) {
        var map = new TreeMap<String, String>();
        for (int index = 0; index < annotations.length; index += 2) {
            map.put("ipam.spidernet.io/" + annotations[index], annotations[index + 1]);
        }
        return SubnetAnnotations.read(map, BOTH);
    }

    private static SortedMap<Family, String> names(Map<Family, String> names) {
        return new TreeMap<>(names);
    }

    @Test
    void subnetIsForTheFirstInterfaceUnlessItSaysSo() {
        assertThat(read("subnet", "{\"IPv4\":[\"s4\",\"other\"],\"ipv6\":[\"s6\"],\"unknown\":1}"))
                .isEqualTo(new Asked(
                        List.of(new Item("eth0", names(Map.of(Family.IPV4, "s4", Family.IPV6, "s6")))),
                        new AddressNumber.Unset(),
                        ReclaimPolicy.RECLAIM));
        assertThat(((Asked) read("subnet", "{\"ipv4\":[\"s4\"],\"interface\":\"net1\"}")).find("net1"))
                .isPresent();
    }

    @Test
    @DisplayName("C99: subnets of several interfaces hide the other annotation")
    void c99SubnetsOfSeveralInterfaces() {
        var asked = (Asked) read(
                "subnets",
                "[{\"interface\":\"eth0\",\"ipv4\":[\"s1\"]},{\"interface\":\"net1\",\"ipv4\":[\"s2\"]}]",
                "subnet",
                "{\"ipv4\":[\"s9\"]}",
                "ippool-ip-number",
                "+2",
                "ippool-reclaim",
                "f");

        assertThat(asked.items())
                .containsExactly(
                        new Item("eth0", names(Map.of(Family.IPV4, "s1"))),
                        new Item("net1", names(Map.of(Family.IPV4, "s2"))));
        assertThat(asked.number()).isEqualTo(new AddressNumber.Flexible(2));
        assertThat(asked.reclaim()).isEqualTo(ReclaimPolicy.KEEP);
    }

    @Test
    void familyThatIsOffIsLeftOut() {
        var map = new TreeMap<>(Map.of("ipam.spidernet.io/subnet", "{\"ipv4\":[\"s4\"],\"ipv6\":[\"s6\"]}"));

        var asked = (Asked) SubnetAnnotations.read(map, List.of(Family.IPV4));

        assertThat(asked.items()).containsExactly(new Item("eth0", names(Map.of(Family.IPV4, "s4"))));
    }

    @Test
    void withoutAnAnnotationNothingIsAsked() {
        assertThat(read("ippool", "{}")).isEqualTo(new RequestedSubnets.None());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        subnet  | {"ipv4":                                     | failed to parse anntation 'ipam.spidernet.io/subnet' value
        subnet  | {"ipv4":"s"}                                 | failed to parse anntation
        subnet  | {"ipv4":[""]}                                | it's invalid to set an empty IPv4 subnet with
        subnet  | {}                                           | it's invalid to set dual empty subnet with
        subnets | []                                           | no subnets specified
        subnets | [{"ipv4":["s"]}]                             | each item names its interface
        subnets | [{"interface":"a","ipv4":["s"]},{"interface":"b","ipv4":["s"]}] | it's invalid to use the same subnet for multiple interfaces
        subnets | [{"interface":"a","ipv4":["s"]},{"interface":"a","ipv4":["t"]}] | the same Interface name
        """)
    @DisplayName("C100: what cannot be meant is refused by name")
    void c100WrongAnnotation(String key, String value, String words) {
        assertThat(((RequestedSubnets.Broken) read(key, value)).sentence()).contains("wrong input, ", words);
    }

    @ParameterizedTest
    @CsvSource({
        "ippool-ip-number, a, invalid input 'a'",
        "ippool-ip-number, -1, value must equal or greater than 0",
        "ippool-reclaim, maybe, failed to parse spider subnet 'ipam.spidernet.io/ippool-reclaim'"
    })
    void wrongNumberOrPolicy(String key, String value, String words) {
        assertThat(((RequestedSubnets.Broken) read("subnet", "{\"ipv4\":[\"s\"]}", key, value)).sentence())
                .contains(words);
    }
}
