package io.cadastre.agent.spiderpool;

import static io.cadastre.agent.spiderpool.CallingRuntime.config;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.linux.probe.ProbeTiming;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSwitch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Addresses of the pools in the store, looked for among real neighbours before a pod uses them.
@Timeout(300)
class PoolDetectionTest {

    /// For what must be heard, however slow the machine is.
    private static final ProbeTiming PATIENT = new ProbeTiming(10, Duration.ofSeconds(2));

    /// For silence.
    private static final ProbeTiming HASTY = new ProbeTiming(2, Duration.ofMillis(50));

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String CONFIG = config("1.0.0", ",\"default_ipv4_ippool\":[\"p\"]");

    @TempDir
    Path folder;

    @AutoClose
    private final PodNetwork pod = PodNetwork.open();

    private final PoolAgentFixture cluster = new PoolAgentFixture();

    @BeforeEach
    void poolAndPod() {
        cluster.pool("p", "{\"subnet\":\"10.9.0.0/16\",\"ips\":[\"10.9.0.7-10.9.0.9\"],\"gateway\":\"10.9.0.1\"}");
        cluster.put(CoreKeys.PODS + "shop/cart-0", """
            {"kind":"Pod","metadata":{"name":"cart-0","namespace":"shop","uid":"6d0e"},"status":{"phase":"Running"}}
            """);
    }

    private CallingRuntime runtime(SpiderpoolAgent agent, ProbeTiming probes) {
        return CallingRuntime.with(agent, LIMIT, probes, Thread::sleep).in(pod.podsPath());
    }

    private void assertThatNothingIsHeld() {
        assertThat(cluster.records("p")).isEmpty();
        assertThat(cluster.json(SpiderKeys.ENDPOINTS + "shop/cart-0").at("/status/current/ips"))
                .isEmpty();
    }

    private static String given(CallingRuntime runtime) {
        return runtime.add(CONFIG).ips().getFirst().address().toString();
    }

    @Test
    @DisplayName("C125: an address that another host has goes back, and the pod is given the next one")
    void addressThatAnotherHostHasIsReplaced() {
        pod.neighbourHas("10.9.0.7");
        var agent = cluster.agent(Set.of(SpiderpoolSwitch.CONFLICT_DETECTION));

        var error = runtime(agent, PATIENT).refusal(CniVerb.ADD, CONFIG);
        assertThatNothingIsHeld();
        var next = given(runtime(agent, HASTY));

        assertThat(error.msg())
                .isEqualTo("ip conflict: pod's interface eth0 with an conflicting ip 10.9.0.7, 10.9.0.7 is located at "
                        + pod.neighboursMac());
        assertThat(next).isEqualTo("10.9.0.8/16");
    }

    @Test
    @DisplayName("C125: so it does over the socket, where the call does not say why all is given back")
    void addressThatAnotherHostHasIsReplacedOverTheSocket() {
        pod.neighbourHas("10.9.0.7");
        var socket = folder.resolve("s.sock");
        var agent = cluster.agent(Set.of(SpiderpoolSwitch.CONFLICT_DETECTION));
        try (var _ = SpiderpoolServer.start(socket, agent, LIMIT, (_, _) -> {}, _ -> {})) {
            var client = new HttpSpiderpoolAgent(socket, () -> LIMIT);

            var error = runtime(client, PATIENT).refusal(CniVerb.ADD, CONFIG);
            assertThatNothingIsHeld();
            var next = given(runtime(client, HASTY));

            assertThat(error.msg()).startsWith("ip conflict: ");
            assertThat(next).isEqualTo("10.9.0.8/16");
        }
    }

    @Test
    @DisplayName("C127: an address whose gateway is silent goes back, and is given again")
    void addressWhoseGatewayIsSilentIsGivenAgain() {
        var agent = cluster.agent(EnumSet.of(SpiderpoolSwitch.GATEWAY_DETECTION));

        var error = runtime(agent, HASTY).refusal(CniVerb.ADD, CONFIG);
        assertThatNothingIsHeld();
        pod.neighbourHas("10.9.0.1");
        var next = given(runtime(agent, PATIENT));

        assertThat(error.msg()).isEqualTo("gateway 10.9.0.1 is unreachable");
        assertThat(next).isEqualTo("10.9.0.7/16");
    }

    @Test
    @DisplayName("C128: with both, a conflict is reported before a silent gateway, and only the conflict is set aside")
    void conflictIsReportedBeforeASilentGateway() {
        pod.neighbourHas("10.9.0.7");
        var agent = cluster.agent(EnumSet.of(SpiderpoolSwitch.CONFLICT_DETECTION, SpiderpoolSwitch.GATEWAY_DETECTION));

        var conflict = runtime(agent, PATIENT).refusal(CniVerb.ADD, CONFIG);
        var silence = runtime(agent, HASTY).refusal(CniVerb.ADD, CONFIG);
        var again = runtime(agent, HASTY).refusal(CniVerb.ADD, CONFIG);

        assertThat(conflict.msg()).startsWith("ip conflict: ");
        assertThat(silence.msg()).isEqualTo("gateway 10.9.0.1 is unreachable");
        assertThat(again.msg()).isEqualTo("gateway 10.9.0.1 is unreachable");
        assertThatNothingIsHeld();
    }
}
