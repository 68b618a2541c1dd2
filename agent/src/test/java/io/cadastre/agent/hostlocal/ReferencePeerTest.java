package io.cadastre.agent.hostlocal;

import static io.cadastre.agent.hostlocal.HostLocalNode.addresses;
import static io.cadastre.agent.hostlocal.HostLocalNode.environment;
import static io.cadastre.agent.hostlocal.HostLocalNode.error;
import static io.cadastre.agent.hostlocal.HostLocalNode.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniDns;
import io.cadastre.wire.cni.CniVerb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The reference plugin and ours on one folder.
class ReferencePeerTest {

    private static final int CALLERS = 4;

    private static final String SUBNET = "\"ranges\": [[{\"subnet\": \"10.1.2.0/24\"}]]";
    private static final String BOTH_FAMILIES =
            "\"ranges\": [[{\"subnet\": \"10.1.2.0/24\"}], [{\"subnet\": \"2001:db8:1::/64\"}]]";

    @TempDir
    Path dataDir;

    private Reference reference;
    private HostLocalNode node;

    @BeforeEach
    void prepare() {
        reference = Reference.installed();
        node = HostLocalNode.in(dataDir);
    }

    @Test
    void twoHundredAddressesGivenByBothAtOnceAreAllDifferent() throws Exception {
        var config = node.config("1.0.0", SUBNET);

        List<String> given;
        try (var executor = Executors.newFixedThreadPool(2 * CALLERS)) {
            var calls = new ArrayList<Future<CniAnswer>>();
            for (int pod = 0; pod < 100; pod++) {
                var ours = "ours-" + pod;
                var theirs = "theirs-" + pod;
                calls.add(executor.submit(() -> node.call(CniVerb.ADD, ours, config)));
                calls.add(executor.submit(() -> reference.call(CniVerb.ADD, theirs, config)));
            }
            given = addressesOf(calls);
        }

        assertThat(given).hasSize(200).doesNotHaveDuplicates();
        var reserved = new ArrayList<>(node.names());
        reserved.removeAll(List.of("lock", "last_reserved_ip.0"));
        assertThat(reserved).containsExactlyInAnyOrderElementsOf(given);
    }

    @Test
    void addressesComeAndGoByBothAtOnceAndNoneIsLeft() throws Exception {
        var config = node.config("1.0.0", "\"ranges\": [[{\"subnet\": \"10.1.2.0/28\"}]]");

        try (var executor = Executors.newFixedThreadPool(2 * CALLERS)) {
            var rounds = new ArrayList<Future<String>>();
            for (int caller = 0; caller < CALLERS; caller++) {
                var ours = "ours-" + caller;
                var theirs = "theirs-" + caller;
                rounds.add(executor.submit(() -> {
                    for (int round = 0; round < 15; round++) {
                        node.add(ours, config);
                        reference.call(CniVerb.DEL, ours, config);
                    }
                    return ours;
                }));
                rounds.add(executor.submit(() -> {
                    for (int round = 0; round < 15; round++) {
                        result(reference.call(CniVerb.ADD, theirs, config));
                        node.del(theirs, config);
                    }
                    return theirs;
                }));
            }
            for (var round : rounds) {
                round.get();
            }
        }

        assertThat(node.names()).containsExactly("last_reserved_ip.0", "lock");
    }

    @Test
    void oursReadsAndReleasesWhatTheirsWrote() throws Exception {
        var config = node.config("1.0.0", BOTH_FAMILIES);
        result(reference.call(CniVerb.ADD, "pod", config));

        var again = error(node.call(CniVerb.ADD, "pod", config));
        var other = node.given("other", config);
        node.succeed(CniVerb.CHECK, "pod", config);
        node.del("pod", config);

        assertThat(again.msg())
                .isEqualTo("failed to allocate for range 0: 10.1.2.2 has been allocated to pod,"
                        + " duplicate allocation is not allowed");
        assertThat(other).containsExactly("10.1.2.3", "2001:db8:1::3");
        assertThat(node.names())
                .containsExactly("10.1.2.3", "2001:db8:1::3", "last_reserved_ip.0", "last_reserved_ip.1", "lock");
    }

    @Test
    void theirsReadsAndReleasesWhatOursWrote() throws Exception {
        var config = node.config("1.0.0", BOTH_FAMILIES);
        node.add("pod", config);

        var again = error(reference.call(CniVerb.ADD, "pod", config));
        var other = addresses(result(reference.call(CniVerb.ADD, "other", config)));
        var check = reference.call(CniVerb.CHECK, "pod", config);
        var del = reference.call(CniVerb.DEL, "pod", config);

        assertThat(again.msg())
                .isEqualTo("failed to allocate for range 0: 10.1.2.2 has been allocated to pod,"
                        + " duplicate allocation is not allowed");
        assertThat(other).containsExactly("10.1.2.3", "2001:db8:1::3");
        assertThat(check.exitCode()).isZero();
        assertThat(del.exitCode()).isZero();
        assertThat(node.names())
                .containsExactly("10.1.2.3", "2001:db8:1::3", "last_reserved_ip.0", "last_reserved_ip.1", "lock");
    }

    @Test
    void bothWriteTheSameBytes() throws Exception {
        node.add("pod", node.config("1.0.0", "net", BOTH_FAMILIES, ""));
        result(reference.call(CniVerb.ADD, "pod", node.config("1.0.0", "twin", BOTH_FAMILIES, "")));

        assertThat(contents("net")).isEqualTo(contents("twin"));
    }

    /// Each is given its own folder, and the same story.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"ranges\": [[{\"subnet\": \"10.1.2.0/30\"}]]",
                "\"ranges\": [[{\"subnet\": \"10.1.2.0/29\", \"gateway\": \"10.1.2.4\"}]]",
                "\"ranges\": [[{\"subnet\": \"10.1.2.0/29\", \"gateway\": \"10.9.9.9\"}]]",
                "\"ranges\": [[{\"subnet\": \"10.1.2.0/29\", \"gateway\": \"2001:db8::1\"}]]",
                "\"ranges\": [[{\"subnet\": \"10.1.2.0/29\", \"rangeStart\": \"10.1.2.0\","
                        + " \"rangeEnd\": \"10.1.2.7\"}]]",
                "\"ranges\": [[{\"subnet\": \"10.1.2.8/30\"}, {\"subnet\": \"10.1.2.0/30\"}],"
                        + " [{\"subnet\": \"2001:db8::/126\"}]]",
                "\"ranges\": [[{\"subnet\": \"2001:db8::/126\"}], [{\"subnet\": \"10.1.2.0/30\"}]]",
                "\"ranges\": [[{\"subnet\": \"10.1.2.0/31\"}]]",
                "\"ranges\": [[{\"subnet\": \"10.1.2.5/24\"}]]",
                "\"ranges\": [[{\"subnet\": \"2001:db8::5/64\"}]]",
                "\"ranges\": [[{\"subnet\": \"10.1.2.0/24\", \"rangeEnd\": \"10.1.2.0\"}]]",
                "\"ranges\": [[{\"subnet\": \"10.1.2.0/24\", \"rangeStart\": \"10.1.3.0\"}]]",
                "\"ranges\": [[{\"subnet\": \"10.1.2.0/24\", \"rangeStart\": \"10.1.2.9\","
                        + " \"rangeEnd\": \"10.1.2.8\"}]]",
                "\"ranges\": [[{\"subnet\": \"10.1.2.0/24\", \"rangeStart\": \"10.1.2.9\","
                        + " \"rangeEnd\": \"2001:db8::9\"}]]",
                "\"ranges\": [[{\"subnet\": \"10.1.2.0/24\"}, {\"subnet\": \"2001:db8::/64\"}]]",
                "\"ranges\": [[{\"subnet\": \"10.1.2.0/24\"}, {\"subnet\": \"10.1.0.0/16\"}]]",
                "\"ranges\": [[{\"subnet\": \"10.1.2.0/24\"}], [{\"subnet\": \"10.1.0.0/16\"}]]",
                "\"ranges\": [[{}]]",
                "\"ranges\": [[]]",
                "\"ranges\": []",
                "\"ranges\": [[{\"subnet\": \"nonsense\"}]]",
                "\"ranges\": [[{\"subnet\": \"10.1.2.0/24\", \"rangeStart\": \"nonsense\"}]]",
                "\"subnet\": \"10.1.2.0/29\", \"rangeStart\": \"10.1.2.5\""
            })
    void bothTellTheSameStory(String ipam) throws Exception {
        var requests = List.of(
                "",
                "",
                "IP=10.1.2.2",
                "IP=10.1.2.1",
                "IP=10.1.2.0",
                "IP=10.1.2.6/24",
                "IP=2001:db8::3",
                "IP=",
                "IP=nonsense",
                "X=1",
                "X=1;IgnoreUnknown=1",
                "");
        for (var version : List.of("0.2.0", "0.4.0", "1.0.0")) {
            var ours = node.config(version, "net" + version, ipam, "");
            var theirs = node.config(version, "twin" + version, ipam, "");
            for (int step = 0; step < requests.size(); step++) {
                var pod = "pod-" + step % 9;
                if (step % 5 == 4) {
                    node.call(CniVerb.DEL, "pod-" + step / 2, ours);
                    reference.call(CniVerb.DEL, "pod-" + step / 2, theirs);
                }
                var environment = environment(CniVerb.ADD, pod, "eth0", requests.get(step));

                var mine = node.call(CniVerb.ADD, environment, ours);
                var reply = reference.call(environment, theirs);

                assertThat(story(mine)).as("step %d at %s", step, version).isEqualTo(story(reply));
            }
            assertThat(contents("net" + version)).isEqualTo(contents("twin" + version));
        }
    }

    private static List<String> addressesOf(List<Future<CniAnswer>> calls)
            throws InterruptedException, ExecutionException {
        var given = new ArrayList<String>();
        for (var call : calls) {
            given.addAll(addresses(result(call.get())));
        }
        return given;
    }

    private static String story(CniAnswer answer) {
        return answer.exitCode() == 0
                ? result(answer).withDns(CniDns.NONE).toString()
                : error(answer).toString();
    }

    /// Every file of a network with its content; nothing if there is no folder. The lock is left out: a
    /// DEL of ours makes one even if the configuration is faulty.
    private List<String> contents(String network) throws IOException {
        var folder = dataDir.resolve(network);
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        var contents = new ArrayList<String>();
        try (var paths = Files.list(folder)) {
            for (var path :
                    paths.filter(path -> !path.endsWith("lock")).sorted().toList()) {
                contents.add(path.toFile().getName() + ": " + Files.readString(path));
            }
        }
        return contents;
    }
}
