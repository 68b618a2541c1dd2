package io.cadastre.controller.collection;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.block.collect.LiveOwners.Name;
import io.cadastre.engine.block.collect.LiveOwners.Phase;
import io.cadastre.engine.block.collect.LiveOwners.Pod;
import io.cadastre.wire.kubernetes.CoreKeys;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LivePodsTest {

    private static final Name WEB = new Name("shop", "web-0");

    private static void put(MemoryDatastore store, Name name, String json) {
        assertThat(store.commit(List.of(new Write.Create(
                        CoreKeys.PODS + "%s/%s".formatted(name.namespace(), name.name()), Bytes.ofUtf8(json)))))
                .isInstanceOf(Commit.Done.class);
    }

    @Test
    void whetherTheyAreListedOrAskedForOneByOneTheSameAreFound() {
        try (var store = new MemoryDatastore()) {
            var wanted = new TreeMap<Name, NavigableSet<String>>();
            IntStream.range(0, 100)
                    .forEach(number -> wanted.put(new Name("default", "pod-" + number), new TreeSet<>()));
            var living = new Name("default", "pod-7");
            var unreadable = new Name("default", "pod-70");
            put(store, living, "{\"spec\":{\"nodeName\":\"node-1\"}}");
            put(store, unreadable, "{\"spec\":7}");
            put(store, new Name("default", "stranger"), "{}");

            var listed = LivePods.fetch(store, wanted, 100, ClusterSource.KUBERNETES);
            var asked = LivePods.fetch(store, wanted, 250_000, ClusterSource.KUBERNETES);

            assertThat(listed.found()).containsOnlyKeys(living);
            assertThat(listed.unreadable()).containsExactly(unreadable);
            assertThat(asked).isEqualTo(listed);
        }
    }

    private static LivePods fetch(String json) {
        try (var store = new MemoryDatastore()) {
            put(store, WEB, json);
            return LivePods.fetch(store, new TreeMap<>(Map.of(WEB, new TreeSet<>())), 1, ClusterSource.KUBERNETES);
        }
    }

    private static Pod pod(String json) {
        return Objects.requireNonNull(fetch(json).found().get(WEB));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        "podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.1"},{"ip":"fd00::1/128"}]     | 10.0.0.1 fd00::1
        "podIP":"10.0.0.1/32","podIPs":[{"ip":"10.0.0.2"}]                       | 10.0.0.1 10.0.0.2
        "podIP":"10.0.0.1"                                                       | ~~
        "podIPs":[{"ip":"10.0.0.1"}]                                             | ~~
        """)
    void podReportsItsAddressesWhenItReportsThemAll(String status, String addresses) {
        var pod = pod("{\"status\":{%s}}".formatted(status));

        var expected = Stream.of(addresses.split(" ", -1))
                .filter(text -> !text.isEmpty())
                .map(Address::parse)
                .toList();
        assertThat(pod.statusAddresses()).isEqualTo(expected);
        assertThat(pod.endpointAddresses()).isEqualTo(expected);
    }

    @Test
    void annotatedAddressesOfAPodAreItsOwnToo() {
        var pod = pod("""
            {"metadata":{"labels":7,"annotations":{"other":7,"cni.projectcalico.org/podIPs":"10.0.0.1/32, fd00::1/128",
                "cni.projectcalico.org/podIP":"10.0.0.1/32",
                "k8s.v1.cni.cncf.io/network-status":"[{\\"ips\\":[\\"10.9.0.1\\"]},{}]"}},
             "spec":{"nodeName":"node-1","hostNetwork":7},
             "status":{"phase":"Failed","reason":"Evicted","podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.1"}]}}
            """);

        assertThat(pod)
                .isEqualTo(new Pod(
                        "node-1",
                        Phase.EVICTED,
                        List.of(Address.parse("10.0.0.1")),
                        Stream.of("10.0.0.1", "fd00::1", "10.9.0.1")
                                .map(Address::parse)
                                .toList()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{'metadata':5}",
                "{'metadata':{'annotations':5}}",
                "{'metadata':{'annotations':{'cni.projectcalico.org/podIPs':5}}}",
                "{'metadata':{'annotations':{'cni.projectcalico.org/podIPs':'nonsense'}}}",
                "{'metadata':{'annotations':{'k8s.v1.cni.cncf.io/network-status':'[7]'}}}",
                "{'spec':{'nodeName':5}}",
                "{'status':5}",
                "{'status':{'phase':5}}",
                "{'status':{'phase':'Failed','reason':5}}",
                "{'status':{'podIP':5}}",
                "{'status':{'podIPs':{}}}",
                "{'status':{'podIPs':[7]}}",
                "{'status':{'podIPs':[{}]}}",
                "{'status':{'podIPs':[{'ip':'nonsense'}]}}"
            })
    void podWithAnUnreadablePartCountsAsUnreadable(String json) {
        var pods = fetch(json.replace('\'', '"'));

        assertThat(pods.found()).isEmpty();
        assertThat(pods.unreadable()).containsExactly(WEB);
    }
}
