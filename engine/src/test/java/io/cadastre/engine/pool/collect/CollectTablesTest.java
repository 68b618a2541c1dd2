package io.cadastre.engine.pool.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.collect.CollectSettings.Gate;
import io.cadastre.engine.pool.collect.CollectVerdict.Step;
import io.cadastre.engine.pool.collect.ObservedPod.Deletion;
import io.cadastre.engine.pool.collect.ObservedPod.End;
import io.cadastre.engine.pool.collect.ObservedPod.NodeHealth;
import io.cadastre.engine.pool.collect.ObservedPod.Phase;
import io.cadastre.engine.pool.collect.ObservedPod.Reported;
import io.cadastre.engine.pool.collect.PodTrace.PodEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The tables of the law, one line for each row.
class CollectTablesTest {

    private static final Instant NOW = Instant.parse("2026-11-19T06:00:00Z");
    private static final PodKey KEY = new PodKey("ns1", "a");

    private static final Address RECORDED = Address.parse("10.6.0.1");

    /// A pod that runs, is not being deleted, and belongs to nothing.
    private static final ObservedPod RUNNING = new ObservedPod(
            KEY,
            "new",
            Phase.RUNNING,
            new Deletion.NotBegun(),
            new End.Unknown(),
            Reported.OWN,
            Keeping.NEVER,
            NodeHealth.READY,
            List.of());

    private static ObservedPod pod(
            Phase phase, Deletion deletion, Reported reported, Keeping keeping, NodeHealth node) {
        return new ObservedPod(KEY, "new", phase, deletion, new End.Unknown(), reported, keeping, node, List.of());
    }

    /// Which gates are open: any of the letters R, N and E.
    private static CollectSettings gates(String letters) {
        return new CollectSettings(gate(letters, "R"), gate(letters, "N"), gate(letters, "E"), Duration.ofSeconds(5));
    }

    private static Gate gate(String letters, String letter) {
        return letters.contains(letter) ? Gate.OPEN : Gate.CLOSED;
    }

    /// With a grace period of thirty seconds and a delay of five.
    private static Deletion deletion(String word) {
        var grace = Duration.ofSeconds(30);
        return switch (word) {
            case "unset" -> new Deletion.NotBegun();
            case "before" -> new Deletion.Begun(NOW.minusSeconds(35), grace);
            case "after" -> new Deletion.Begun(NOW.minusSeconds(36), grace);
            default -> throw new IllegalArgumentException(word);
        };
    }

    private static Set<Step> steps(String words) {
        var steps = EnumSet.noneOf(Step.class);
        Arrays.stream(words.split(" ", -1))
                .filter(word -> !word.equals("keep"))
                .forEach(word -> steps.add(
                        switch (word) {
                            case "free" -> Step.FREE_RECORD;
                            case "delete" -> Step.DELETE_ENDPOINT;
                            case "trace" -> Step.TRACE;
                            default -> throw new IllegalArgumentException(word);
                        }));
        return steps;
    }

    private static KnownEndpoint endpoint(String uid, Keeping keeping) {
        return switch (uid) {
            case "absent" -> new KnownEndpoint.Absent();
            case "unreadable" -> new KnownEndpoint.Unreadable();
            default -> new KnownEndpoint.Present(uid, keeping);
        };
    }

    @ParameterizedTest(name = "{index}: {0} {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
        absent     | NEVER   | free        | POD_AND_ENDPOINT_GONE
        old        | VALID   | keep        | POD_RETURNS
        old        | INVALID | free delete | POD_ABANDONED
        old        | NEVER   | free delete | POD_GONE
        unreadable | NEVER   | keep        | ENDPOINT_UNREADABLE
        """)
    @DisplayName("Table A: the pod does not exist")
    void tableA(String endpoint, Keeping keeping, String steps, CollectRule rule) {
        var verdict = PoolCollector.judge(
                RECORDED, "old", new KnownPod.Absent(), endpoint(endpoint, keeping), CollectSettings.DEFAULT, NOW);

        assertThat(verdict.steps()).isEqualTo(steps(steps));
        assertThat(verdict.rules()).containsExactly(rule);
    }

    @Test
    void podThatCannotBeReadKeepsAll() {
        var verdict = PoolCollector.judge(
                RECORDED, "old", new KnownPod.Unclear("why"), endpoint("old", Keeping.NEVER), gates("RNE"), NOW);

        assertThat(verdict).isEqualTo(new CollectVerdict(Set.of(), List.of(CollectRule.POD_UNCLEAR)));
    }

    @ParameterizedTest(name = "{index}: {0}, deletion {1}, addresses {2}, {3}, {4}, gates {5}: {6}")
    @CsvSource(delimiter = '|', textBlock = """
        ENDED   | unset  | OWN  | VALID   | READY     | RNE | TRACE   | ENDED_VALID
        ENDED   | after  | OWN  | VALID   | READY     | RNE | TRACE   | ENDED_VALID
        ENDED   | unset  | OWN  | INVALID | READY     | -   | RELEASE | ENDED_INVALID
        ENDED   | before | OWN  | INVALID | READY     | -   | RELEASE | ENDED_INVALID
        ENDED   | after  | OWN  | NEVER   | READY     | R   | RELEASE | GRACE_OVER
        ENDED   | after  | OWN  | NEVER   | READY     | NE  | NOTHING | GRACE_OVER_GATE_CLOSED
        ENDED   | after  | OWN  | NEVER   | NOT_READY | N   | RELEASE | GRACE_OVER
        ENDED   | after  | OWN  | NEVER   | NOT_READY | RE  | NOTHING | GRACE_OVER_GATE_CLOSED
        ENDED   | after  | OWN  | NEVER   | UNKNOWN   | RNE | NOTHING | GRACE_OVER_NODE_UNKNOWN
        ENDED   | before | OWN  | NEVER   | READY     | RNE | TRACE   | GRACE_RUNS
        ENDED   | before | NONE | NEVER   | READY     | -   | RELEASE | GRACE_RUNS_WITHOUT_ADDRESSES
        ENDED   | unset  | NONE | NEVER   | READY     | RNE | NOTHING | ENDED_UNDELETED
        PENDING | unset  | NONE | NEVER   | READY     | RNE | NOTHING | PENDING
        PENDING | after  | NONE | NEVER   | READY     | RNE | NOTHING | PENDING
        PENDING | after  | NONE | INVALID | READY     | RNE | NOTHING | PENDING
        RUNNING | after  | OWN  | NEVER   | READY     | R   | RELEASE | GRACE_OVER
        RUNNING | after  | OWN  | NEVER   | READY     | NE  | NOTHING | GRACE_OVER_GATE_CLOSED
        RUNNING | after  | OWN  | NEVER   | NOT_READY | N   | RELEASE | GRACE_OVER
        RUNNING | after  | OWN  | NEVER   | NOT_READY | RE  | NOTHING | GRACE_OVER_GATE_CLOSED
        RUNNING | after  | OWN  | VALID   | READY     | RNE | NOTHING | GRACE_OVER_KEPT
        RUNNING | after  | NONE | INVALID | READY     | RNE | NOTHING | GRACE_OVER_KEPT
        RUNNING | before | OWN  | NEVER   | NOT_READY | -   | TRACE   | GRACE_RUNS
        RUNNING | before | OWN  | VALID   | READY     | RNE | TRACE   | GRACE_RUNS
        RUNNING | before | NONE | NEVER   | UNKNOWN   | -   | RELEASE | GRACE_RUNS_WITHOUT_ADDRESSES
        RUNNING | before | NONE | INVALID | READY     | -   | RELEASE | GRACE_RUNS_WITHOUT_ADDRESSES
        RUNNING | before | NONE | VALID   | READY     | RNE | NOTHING | GRACE_RUNS_VALID
        UNKNOWN | after  | OWN  | NEVER   | NOT_READY | N   | RELEASE | GRACE_OVER
        UNKNOWN | before | OWN  | NEVER   | NOT_READY | -   | TRACE   | GRACE_RUNS
        RUNNING | unset  | OWN  | NEVER   | READY     | RNE | NOTHING | ALIVE
        RUNNING | unset  | OWN  | INVALID | READY     | RNE | NOTHING | ALIVE
        UNKNOWN | unset  | OWN  | NEVER   | READY     | RNE | NOTHING | ALIVE
        RUNNING | unset  | NONE | VALID   | READY     | RNE | NOTHING | WITHOUT_ADDRESSES_VALID
        RUNNING | unset  | NONE | INVALID | READY     | -   | RELEASE | WITHOUT_ADDRESSES_INVALID
        UNKNOWN | unset  | NONE | VALID   | READY     | RNE | NOTHING | WITHOUT_ADDRESSES_VALID
        UNKNOWN | unset  | NONE | INVALID | READY     | -   | RELEASE | WITHOUT_ADDRESSES_INVALID
        RUNNING | unset  | NONE | NEVER   | READY     | E   | RELEASE | WITHOUT_ADDRESSES_GATE_OPEN
        RUNNING | unset  | NONE | NEVER   | READY     | RN  | NOTHING | WITHOUT_ADDRESSES_GATE_CLOSED
        UNKNOWN | unset  | NONE | NEVER   | READY     | -   | RELEASE | WITHOUT_ADDRESSES_UNKNOWN
        """)
    @DisplayName("Table B: C110, C111, C112: whether the state of a pod calls for release")
    void tableB(
            Phase phase,
            String deletion,
            Reported reported,
            Keeping keeping,
            NodeHealth node,
            String gates,
            PodNeed.Call call,
            CollectRule rule) {
        var need = PodNeed.of(pod(phase, deletion(deletion), reported, keeping, node), gates(gates), NOW);

        assertThat(need).isEqualTo(new PodNeed(call, rule));
    }

    /// The pod is one that calls for release in the column G, and one that does not in the column L.
    @ParameterizedTest(name = "{index}: record {0}, endpoint {1}, {2}, addresses {3}: {4} or {5}")
    @CsvSource(delimiter = '|', textBlock = """
        new | absent     | NEVER   | OWN  | free        | keep
        new | absent     | INVALID | NONE | free        | keep
        old | absent     | NEVER   | OWN  | free        | free
        old | absent     | NEVER   | NONE | free        | free
        old | absent     | VALID   | OWN  | -           | free
        old | absent     | INVALID | OWN  | free        | free
        old | absent     | INVALID | NONE | free        | free
        old | absent     | VALID   | NONE | -           | keep
        new | new        | NEVER   | OWN  | free delete | keep
        new | new        | INVALID | NONE | free delete | keep
        new | old        | NEVER   | OWN  | free delete | delete
        new | old        | VALID   | OWN  | -           | delete
        new | old        | INVALID | OWN  | free delete | delete
        new | old        | INVALID | NONE | free delete | delete
        new | old        | VALID   | NONE | -           | keep
        old | old        | NEVER   | OWN  | free delete | free delete
        old | old        | VALID   | OWN  | -           | free delete
        old | old        | VALID   | NONE | -           | keep
        old | unreadable | NEVER   | OWN  | free        | free
        new | unreadable | NEVER   | OWN  | free        | keep
        """)
    @DisplayName("Table C: C114, C115, C116: what becomes of the record and the endpoint of a pod that exists")
    void tableC(String record, String endpoint, Keeping keeping, Reported reported, String called, String alive) {
        // A pending pod calls for nothing, whatever else is known of it.
        var living = pod(Phase.PENDING, deletion("unset"), reported, keeping, NodeHealth.READY);
        var leaving = pod(Phase.ENDED, deletion("after"), reported, keeping, NodeHealth.READY);

        assertThat(steps(record, living, endpoint)).isEqualTo(steps(alive));
        if (!called.equals("-")) {
            assertThat(steps(record, leaving, endpoint)).isEqualTo(steps(called));
        }
    }

    private static Set<Step> steps(String record, ObservedPod pod, String endpoint) {
        return PoolCollector.judge(
                        RECORDED,
                        record,
                        new KnownPod.Present(pod),
                        endpoint(endpoint, pod.keeping()),
                        CollectSettings.DEFAULT,
                        NOW)
                .steps();
    }

    @ParameterizedTest
    @CsvSource({"VALID, old", "VALID, absent", "INVALID, old", "NEVER, old"})
    void recordOfAnEarlierPodIsKeptWhileThePodReportsTheAddress(Keeping keeping, String endpoint) {
        var pod = new ObservedPod(
                KEY,
                "new",
                Phase.RUNNING,
                deletion("unset"),
                new End.Unknown(),
                Reported.OWN,
                keeping,
                NodeHealth.READY,
                List.of(Address.parse("192.0.2.7"), RECORDED));

        var verdict = PoolCollector.judge(
                RECORDED, "old", new KnownPod.Present(pod), endpoint(endpoint, keeping), gates("RNE"), NOW);

        assertThat(verdict).isEqualTo(new CollectVerdict(Set.of(), List.of(CollectRule.RECORD_IN_USE)));
    }

    /// The API server accepts any number of seconds.
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 1, 31_556_889_864_403_199L})
    void graceBeyondAllTimeNeverEnds(long seconds) {
        var grace = Duration.ofSeconds(seconds);
        var deleted = pod(Phase.RUNNING, new Deletion.Begun(NOW, grace), Reported.OWN, Keeping.NEVER, NodeHealth.READY);
        var ended = new ObservedPod(
                KEY,
                "new",
                Phase.ENDED,
                deletion("unset"),
                new End.At(NOW, grace),
                Reported.OWN,
                Keeping.NEVER,
                NodeHealth.READY,
                List.of());

        assertThat(PodNeed.of(deleted, gates("RNE"), NOW))
                .isEqualTo(new PodNeed(PodNeed.Call.TRACE, CollectRule.GRACE_RUNS));
        assertThat(PodTrace.of(new PodEvent.Appeared(deleted), gates("R"), NOW))
                .isEqualTo(new PodTrace.Until(Instant.MAX, PodTrace.TraceRule.TERMINATING));
        assertThat(PodTrace.of(new PodEvent.Appeared(ended), gates("R"), NOW))
                .isEqualTo(new PodTrace.Until(Instant.MAX, PodTrace.TraceRule.ENDED));
    }

    @Test
    void podThatEndsIsTracedFromTheScan() {
        var leaving = pod(Phase.RUNNING, deletion("before"), Reported.OWN, Keeping.NEVER, NodeHealth.READY);

        assertThat(PoolCollector.judge(
                                RECORDED,
                                "new",
                                new KnownPod.Present(leaving),
                                endpoint("new", Keeping.NEVER),
                                gates("R"),
                                NOW)
                        .steps())
                .containsExactly(Step.TRACE);
    }

    /// The stop is in seconds from now. Deletion began now, with a grace of thirty seconds; the last container
    /// finished ten seconds ago, with a grace of twenty; the delay is five.
    @ParameterizedTest(name = "{index}: {0} {1}, deletion {2}, {3}, {4}, gates {5}: {6}")
    @CsvSource(delimiter = '|', textBlock = """
        gone     | RUNNING | unset   | OF_NODE | NEVER   | RN |    | HOST_NETWORK
        gone     | RUNNING | unset   | OWN     | VALID   | RN |    | STATEFUL_SET_OR_MACHINE_VALID
        gone     | RUNNING | unset   | OWN     | INVALID | -  | 5  | DELETED
        gone     | RUNNING | begun   | OWN     | NEVER   | -  | 5  | DELETED
        changed  | RUNNING | begun   | OWN     | NEVER   | R  | 35 | TERMINATING
        changed  | RUNNING | begun   | NONE    | INVALID | R  | 35 | TERMINATING
        changed  | RUNNING | begun   | OWN     | VALID   | R  |    | STATEFUL_SET_OR_MACHINE_VALID
        changed  | RUNNING | begun   | OWN     | NEVER   | N  |    | GATE_CLOSED
        shorter  | RUNNING | begun   | OWN     | NEVER   | R  | 35 | TERMINATING
        same     | RUNNING | begun   | OWN     | NEVER   | R  |    | NOTHING_NEW
        appeared | RUNNING | begun   | OWN     | NEVER   | R  | 35 | TERMINATING
        changed  | ENDED   | unset   | OWN     | NEVER   | R  | 15 | ENDED
        changed  | ENDED   | unset   | OWN     | NEVER   | N  |    | GATE_CLOSED
        appeared | ENDED   | unset   | OWN     | NEVER   | R  | 15 | ENDED
        same     | ENDED   | unset   | OWN     | NEVER   | R  |    | NOTHING_NEW
        changed  | ENDED   | begun   | OWN     | NEVER   | R  | 35 | TERMINATING
        appeared | RUNNING | unset   | OWN     | NEVER   | RN |    | NOTHING_NEW
        changed  | PENDING | unset   | NONE    | NEVER   | RN |    | NOTHING_NEW
        """)
    @DisplayName("§6.4: C108, C109: what follows from an event")
    void tracing(
            String event,
            Phase phase,
            String deletion,
            Reported reported,
            Keeping keeping,
            String gates,
            Long stop,
            PodTrace.TraceRule rule) {
        var end = new End.At(NOW.minusSeconds(10), Duration.ofSeconds(20));
        var begun = new Deletion.Begun(NOW, Duration.ofSeconds(30));
        var pod = new ObservedPod(
                KEY,
                "new",
                phase,
                deletion.equals("begun") ? begun : new Deletion.NotBegun(),
                end,
                reported,
                keeping,
                NodeHealth.READY,
                List.of());
        var longer = new ObservedPod(
                KEY,
                "new",
                phase,
                new Deletion.Begun(NOW.plusSeconds(60), Duration.ofSeconds(90)),
                end,
                reported,
                keeping,
                NodeHealth.READY,
                List.of());
        var happened =
                switch (event) {
                    case "gone" -> new PodEvent.Gone(pod);
                    case "appeared" -> new PodEvent.Appeared(pod);
                    case "same" -> new PodEvent.Changed(pod, pod);
                    case "shorter" -> new PodEvent.Changed(longer, pod);
                    default -> new PodEvent.Changed(RUNNING, pod);
                };

        var trace = PodTrace.of(happened, gates(gates), NOW);

        assertThat(trace)
                .isEqualTo(stop == null ? new PodTrace.None(rule) : new PodTrace.Until(NOW.plusSeconds(stop), rule));
    }

    @Test
    void podThatEndedWithoutATimeOrOnAnUnknownNodeIsNotTraced() {
        var withoutTime = pod(Phase.ENDED, deletion("unset"), Reported.OWN, Keeping.NEVER, NodeHealth.READY);
        var withoutNode = pod(Phase.ENDED, deletion("unset"), Reported.OWN, Keeping.NEVER, NodeHealth.UNKNOWN);

        assertThat(PodTrace.of(new PodEvent.Appeared(withoutTime), gates("RN"), NOW))
                .isEqualTo(new PodTrace.None(PodTrace.TraceRule.ENDED_WITHOUT_TIME));
        assertThat(PodTrace.of(new PodEvent.Appeared(withoutNode), gates("RN"), NOW))
                .isEqualTo(new PodTrace.None(PodTrace.TraceRule.NODE_UNKNOWN));
    }

    @ParameterizedTest(name = "ordinal {0}, start {1}, replicas {2}: {3}")
    @CsvSource(delimiter = '|', textBlock = """
        0 | 0 | 1 | VALID
        1 | 0 | 1 | INVALID
        4 | 0 | 5 | VALID
        0 | 0 | 0 | INVALID
        2 | 3 | 2 | INVALID
        3 | 3 | 2 | VALID
        4 | 3 | 2 | VALID
        5 | 3 | 2 | INVALID
        """)
    @DisplayName("§6.2: the pods that a StatefulSet will create")
    void validOrdinals(long ordinal, long start, long replicas, Keeping keeping) {
        assertThat(Keeping.ofStatefulSet(ordinal, start, replicas)).isEqualTo(keeping);
    }
}
