package io.cadastre.agent.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.calico.endpoint.EndpointName;
import io.cadastre.wire.cni.CalicoNetConfig;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.NetworkConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AddPreconditionsTest {

    private static final String NODENAME = "/var/lib/calico/nodename";
    private static final String MTU = "/var/lib/calico/mtu";

    private final Map<String, String> files = new TreeMap<>();
    private final Deque<Boolean> answers = new ArrayDeque<>();
    private final List<Duration> pauses = new ArrayList<>();
    private final List<String> log = new ArrayList<>();

    private final HostFiles disk = path -> Optional.ofNullable(files.get(path));

    private AddPreconditions preconditions(HostFiles onHost) {
        return new AddPreconditions(
                new Host(
                        () -> {
                            throw new IllegalStateException("no namespace is needed here");
                        },
                        onHost,
                        _ -> answers.pop(),
                        "cali",
                        log::add),
                pauses::add);
    }

    @Test
    void fileWithTheNodesNameMustBeThereUnlessItNeedNot() {
        var config = config("\"nodename\":\"n\"");

        assertThatThrownBy(() -> preconditions(disk).node(config.node()))
                .hasMessage("stat /var/lib/calico/nodename: no such file or directory: check that the"
                        + " calico/node container is running and has mounted"
                        + " /var/lib/calico/");
        assertThat(preconditions(disk).node(optional("\"nodename\":\"n\"").node()))
                .isEqualTo("n");
    }

    @Test
    void nameIsThatOfTheConfigurationThenTheFilesThenTheOldOneThenTheHosts() {
        files.put("/proc/sys/kernel/hostname", "Host.Example\n");
        assertThat(preconditions(disk).node(optional("\"x\":1").node())).isEqualTo("host.example");
        assertThat(preconditions(disk).node(optional("\"hostname\":\"old\"").node()))
                .isEqualTo("old");

        files.put(NODENAME, "filed\n");

        assertThat(preconditions(disk).node(optional("\"hostname\":\"old\"").node()))
                .isEqualTo("filed");
        assertThat(preconditions(disk).node(optional("\"nodename\":\"n\"").node()))
                .isEqualTo("n");
    }

    @Test
    void agentThatKnowsItsNodeStandsInForTheFile() {
        var standIn = disk.standingIn(NODENAME, "agents");

        assertThat(preconditions(standIn).node(config("\"x\":1").node())).isEqualTo("agents");
        files.put(NODENAME, "filed");
        assertThat(preconditions(standIn).node(config("\"x\":1").node())).isEqualTo("filed");
    }

    @Test
    void sizeOfPacketsIsRead() {
        assertThat(preconditions(disk).mtu(config("\"x\":1").link())).isZero();
        files.put(MTU, " 1440\n");
        assertThat(preconditions(disk).mtu(config("\"x\":1").link())).isEqualTo(1440);
        assertThat(preconditions(disk).mtu(config("\"mtu\":9000").link())).isEqualTo(9000);
    }

    @Test
    void garbageInTheFileIsAnErrorWhetherItCountsOrNot() {
        files.put(MTU, "big");

        assertThatThrownBy(() -> preconditions(disk).mtu(config("\"mtu\":9000").link()))
                .isInstanceOf(CniException.class)
                .hasMessageStartingWith("failed to read MTU file: ");
    }

    @Test
    void fileWithTheSizeMayBeRequired() {
        assertThatThrownBy(() -> preconditions(disk)
                        .mtu(config("\"require_mtu_file\":true").link()))
                .hasMessage("failed to read MTU file: open /var/lib/calico/mtu: no such file or" + " directory");
    }

    @Test
    void fileThatCannotBeReadIsNamed() {
        HostFiles broken = _ -> {
            throw new IOException("input/output error");
        };

        assertThatThrownBy(() -> preconditions(broken).mtu(config("\"x\":1").link()))
                .hasMessage("failed to read MTU file: open /var/lib/calico/mtu: input/output error");
    }

    @Test
    void gateIsAskedAgainUntilItIsOpen() throws InterruptedException {
        answers.addAll(List.of(false, false, true));

        preconditions(disk)
                .awaitReady(config("\"readiness_gates\":[\"http://a/\"]").waiting());

        assertThat(pauses).containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(5));
    }

    @Test
    void gateThatStaysShutIsAnErrorToBeTriedAgain() {
        answers.addAll(List.of(false, false, false, false, false, false));

        assertThatThrownBy(() -> preconditions(disk)
                        .awaitReady(
                                config("\"readiness_gates\":[\"http://a/\"]").waiting()))
                .isInstanceOfSatisfying(
                        CniException.class,
                        shut -> assertThat(shut.error().is(CniCode.TRY_AGAIN_LATER))
                                .isTrue());
        assertThat(pauses).hasSize(5);
    }

    @Test
    void policyIsAwaitedForAsLongAsIsWantedAndThenOnlyMentioned() throws InterruptedException {
        var waiting = config("\"policy_setup_timeout_seconds\":1,\"endpoint_status_dir\":\"/s\"")
                .waiting();
        var workload = workload();

        preconditions(disk).awaitPolicy(waiting, workload);
        assertThat(log).hasSize(1);
        files.put("/s/k8s test%2Fweb-0 eth0", "");
        preconditions(disk).awaitPolicy(waiting, workload);

        assertThat(log).hasSize(1);
        assertThat(pauses).hasSize(10);
    }

    private static Workload workload() {
        return new Workload("net1", "test", "web-0", "", "x", new EndpointName("n", "k8s", "web-0", "eth0"));
    }

    private static CalicoNetConfig optional(String members) {
        return config(members + ",\"nodename_file_optional\":true");
    }

    private static CalicoNetConfig config(String members) {
        return CalicoNetConfig.read(NetworkConfig.read(Bytes.ofUtf8("{\"name\":\"net1\",%s}".formatted(members))), "");
    }
}
