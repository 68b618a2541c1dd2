package io.cadastre.agent.spiderpool;

import static io.cadastre.agent.spiderpool.CallingRuntime.config;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.linux.probe.ProbeTiming;
import io.cadastre.registry.Pause;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.IpamAddResponse;
import io.cadastre.wire.spiderpool.IpamBatchDelArgs;
import io.cadastre.wire.spiderpool.IpamDelArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import io.cadastre.wire.spiderpool.WorkloadEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the plugin finds out among real neighbours.
@Timeout(300)
class ConflictDetectionTest {

    /// For what must be heard, however slow the machine is.
    private static final ProbeTiming PATIENT = new ProbeTiming(10, Duration.ofSeconds(2));

    /// For silence.
    private static final ProbeTiming HASTY = new ProbeTiming(2, Duration.ofMillis(50));

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String CONFLICT = ",\"enableIPConflictDetection\":true";
    private static final String GATEWAY = ",\"enableGatewayDetection\":true";

    @AutoClose
    private final PodNetwork pod = PodNetwork.open();

    @AutoClose
    private final FakeSpiderpoolAgent peer = FakeSpiderpoolAgent.open();

    @ParameterizedTest
    @CsvSource({"4, 10.9.0.7, /16", "6, fd00::7, /64"})
    void a07AddressThatAnotherHostOwnsIsGivenBack(int version, String address, String length) {
        pod.neighbourHas(address);
        peerGives(ip(version, address + length, CONFLICT));

        var error = runtime(PATIENT).refusal(CniVerb.ADD, config("1.0.0"));

        assertThat(error.msg())
                .isEqualTo("ip conflict: pod's interface eth0 with an conflicting ip %s, %s is located at %s"
                        .formatted(address, address, pod.neighboursMac()));
        assertThat(error.is(CniCode.INTERNAL)).isTrue();
        assertThat(error.details()).isEmpty();
        assertThatAllWasGivenBack();
    }

    @ParameterizedTest
    @CsvSource({"4, 10.9.0.7/16, 10.9.0.1", "6, fd00::7/64, fd00::1", "6, fd00::7/64, fe80::99"})
    void a08AddressWhoseGatewayIsSilentIsGivenBack(int version, String address, String gateway) {
        peerGives(ip(version, address, GATEWAY + ",\"gateway\":\"%s\"".formatted(gateway)));

        var error = runtime(HASTY).refusal(CniVerb.ADD, config("1.0.0"));

        assertThat(error.msg()).isEqualTo("gateway %s is unreachable".formatted(gateway));
        assertThat(error.is(CniCode.INTERNAL)).isTrue();
        assertThatAllWasGivenBack();
    }

    @ParameterizedTest
    @CsvSource({"4, 10.9.0.7/16, 10.9.0.1", "6, fd00::7/64, fd00::1"})
    void a08GatewayThatAnswersIsReached(int version, String address, String gateway) {
        pod.neighbourHas(gateway);
        peerGives(ip(version, address, GATEWAY + ",\"gateway\":\"%s\"".formatted(gateway)));

        var result = runtime(PATIENT).add(config("1.0.0"));

        assertThat(result.ips()).extracting(ip -> ip.address().toString()).containsExactly(address);
        assertThat(peer.calls()).containsExactly(FakeSpiderpoolAgent.HEALTH, FakeSpiderpoolAgent.ALLOCATE);
    }

    @Test
    void c126AddressesWithoutAnotherHolderAreThePods() {
        pod.neighbourHas("10.9.0.8").neighbourHas("fd00::8");
        peerGives(ip(4, "10.9.0.7/16", CONFLICT) + "," + ip(6, "fd00::7/64", CONFLICT));

        var result = runtime(HASTY).add(config("1.0.0"));

        assertThat(result.ips()).hasSize(2);
        assertThat(pod.podIsUp()).isTrue();
        assertThat(peer.calls()).containsExactly(FakeSpiderpoolAgent.HEALTH, FakeSpiderpoolAgent.ALLOCATE);
    }

    @Test
    void c127PoolWithoutAGatewayNeedsNone() {
        peerGives(ip(4, "10.9.0.7/16", GATEWAY));

        var result = runtime(HASTY).add(config("1.0.0"));

        assertThat(result.ips()).hasSize(1);
    }

    @Test
    void c128ConflictInAnyFamilyIsReportedBeforeASilentGateway() {
        pod.neighbourHas("fd00::7");
        peerGives(ip(4, "10.9.0.7/16", GATEWAY + ",\"gateway\":\"10.9.0.1\"")
                + ","
                + ip(6, "fd00::7/64", CONFLICT + GATEWAY + ",\"gateway\":\"fd00::1\""));

        var error = runtime(PATIENT).refusal(CniVerb.ADD, config("1.0.0"));

        assertThat(error.msg()).startsWith("ip conflict: pod's interface eth0");
        assertThatAllWasGivenBack();
    }

    @Test
    void addressesOfOtherInterfacesAreNotLookedAt() {
        pod.neighbourHas("10.9.0.7");
        peerGives(ip(4, "10.9.0.7/16", CONFLICT).replace("eth0", "net1") + "," + ip(4, "10.9.0.9/16", ""));

        var result = runtime(PATIENT).add(config("1.0.0"));

        assertThat(result.ips()).hasSize(1);
        assertThat(pod.podIsUp()).isFalse();
    }

    @Test
    void addressThatCannotBeReleasedIsReportedWithTheConflict() {
        pod.neighbourHas("10.9.0.7");
        peerGives(ip(4, "10.9.0.7/16", CONFLICT));
        peer.answering(FakeSpiderpoolAgent.RELEASE_ALL, 522, "\"forbid releasing IPs for stateful workload\"");
        var runtime = runtime(PATIENT);

        var error = runtime.refusal(CniVerb.ADD, config("1.0.0"));

        var kept = "the addresses of pod shop/cart-0 were not released: forbid releasing IPs for stateful workload";
        assertThat(error.msg()).startsWith("ip conflict: ");
        assertThat(error.details()).isEqualTo(kept);
        assertThat(runtime.log()).containsExactly(kept);
    }

    @Test
    void nothingIsAskedBeforeTheOtherEndIsReady() {
        pod.neighbourHas("10.9.0.7").neighbourIsDown();
        peerGives(ip(4, "10.9.0.7/16", CONFLICT));
        var pauses = new AtomicInteger();
        Pause pause = _ -> {
            if (pauses.incrementAndGet() == 3) {
                pod.setNeighbourUp();
            }
        };
        var runtime = runtime(PATIENT, agent(), pause);

        var error = runtime.refusal(CniVerb.ADD, config("1.0.0"));

        assertThat(error.msg()).startsWith("ip conflict: ");
        assertThat(pauses).hasValueGreaterThanOrEqualTo(3);
    }

    @Test
    void otherEndThatIsNeverReadyIsNotWaitedForWithoutEnd() {
        pod.neighbourIsDown();
        peerGives(ip(4, "10.9.0.7/16", GATEWAY + ",\"gateway\":\"10.9.0.1\""));
        var pauses = new AtomicInteger();
        var runtime = runtime(HASTY, agent(), _ -> pauses.incrementAndGet());

        var error = runtime.refusal(CniVerb.ADD, config("1.0.0"));

        assertThat(error.msg()).isEqualTo("gateway 10.9.0.1 is unreachable");
        assertThat(pauses).hasValue(29);
    }

    @Test
    void agentOfTheProcessHearsWhichAddressIsInConflictBeforeItTakesAllBack() {
        pod.neighbourHas("10.9.0.7");
        peerGives(ip(4, "10.9.0.8/16", "") + "," + ip(4, "10.9.0.7/16", CONFLICT));
        var attentive = new Attentive(agent(), new ArrayList<>());

        runtime(PATIENT, attentive, Thread::sleep).refusal(CniVerb.ADD, config("1.0.0"));

        assertThat(attentive.heard()).containsExactly("conflict of shop/cart-0 at 10.9.0.7", "release all");
    }

    /// An agent that hears of conflicts.
    private record Attentive(SpiderpoolAgent agent, List<String> heard) implements SpiderpoolAgent {

        @Override
        public void checkHealth() {
            agent.checkHealth();
        }

        @Override
        public IpamAddResponse allocate(IpamAddArgs args) {
            return agent.allocate(args);
        }

        @Override
        public void release(IpamDelArgs args) {
            agent.release(args);
        }

        @Override
        public void noteConflict(PodIdentity pod, Address address) {
            heard.add("conflict of %s at %s".formatted(pod, address));
        }

        @Override
        public void releaseAll(IpamBatchDelArgs args) {
            heard.add("release all");
            agent.releaseAll(args);
        }

        @Override
        public Optional<WorkloadEndpoint> findEndpoint(PodIdentity pod) {
            return agent.findEndpoint(pod);
        }
    }

    @Test
    void interfaceThatTheMainPluginHasNotMadeYetIsAnError() {
        peerGives(ip(4, "10.9.0.7/16", CONFLICT).replace("eth0", "eth7"));

        var error = runtime(HASTY).on("eth7").refusal(CniVerb.ADD, config("1.0.0"));

        assertThat(error.msg()).isEqualTo("failed to get link eth7 of the pod: not found");
        assertThat(peer.calls()).containsExactly(FakeSpiderpoolAgent.HEALTH, FakeSpiderpoolAgent.ALLOCATE);
    }

    @Test
    void neighboursLearnWhoHasTheAddressesNow() {
        var former = "02:00:00:00:00:99";
        pod.setPodUp();
        pod.neighbourHas("10.9.0.1")
                .neighbourHas("fd00::1")
                .neighbourRemembers("10.9.0.7", former)
                .neighbourRemembers("fd00::7", former);
        peerGives(ip(4, "10.9.0.7/16", "") + "," + ip(6, "fd00::7/64", ""));
        var runtime = runtime(HASTY);

        runtime.add(config("1.0.0"));

        var mac = pod.podsMac().toString();
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(pod.rememberedByNeighbour("10.9.0.7")).contains(mac);
            assertThat(pod.rememberedByNeighbour("fd00::7")).contains(mac);
        });
        assertThat(runtime.log()).isEmpty();
    }

    @Test
    void detectionUsuallyTakesLessThanASecond() {
        var probes = SpiderpoolLimits.within(PATIENCE, PATIENCE).probes();

        assertThat(probes.sends()).isEqualTo(3);
        // Conflicts, gateways, and before them the other end of the link.
        assertThat(probes.interval().multipliedBy(2L * probes.sends()).plusMillis(300))
                .isLessThan(Duration.ofSeconds(1));
    }

    private CallingRuntime runtime(ProbeTiming probes) {
        return runtime(probes, agent(), Thread::sleep);
    }

    private CallingRuntime runtime(ProbeTiming probes, SpiderpoolAgent agent, Pause pause) {
        return CallingRuntime.with(agent, PATIENCE, probes, pause).in(pod.podsPath());
    }

    private SpiderpoolAgent agent() {
        return new HttpSpiderpoolAgent(peer.socket(), CallingRuntime.PATIENT);
    }

    private void peerGives(String ips) {
        peer.answering(FakeSpiderpoolAgent.ALLOCATE, 200, "{\"ips\":[%s]}".formatted(ips));
    }

    private static String ip(int version, String address, String members) {
        return "{\"version\":%d,\"address\":\"%s\",\"nic\":\"eth0\"%s}".formatted(version, address, members);
    }

    private void assertThatAllWasGivenBack() {
        assertThat(peer.calls())
                .containsExactly(
                        FakeSpiderpoolAgent.HEALTH, FakeSpiderpoolAgent.ALLOCATE, FakeSpiderpoolAgent.RELEASE_ALL);
        assertThat(IpamBatchDelArgs.parse(Bytes.ofUtf8(peer.bodyOf(FakeSpiderpoolAgent.RELEASE_ALL))))
                .isEqualTo(
                        new IpamBatchDelArgs("c9", pod.podsPath(), new PodIdentity("shop", "cart-0", "6d0e"), false));
    }
}
