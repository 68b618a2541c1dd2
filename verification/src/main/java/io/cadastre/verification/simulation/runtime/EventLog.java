package io.cadastre.verification.simulation.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// What happened in one simulation, in order, without anything that could differ from run to run.
public final class EventLog {

    private final SeededScheduler scheduler;
    private final Instant start;
    private final List<String> lines = new ArrayList<>();
    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    private int events;
    private int requests;

    EventLog(SeededScheduler scheduler) {
        this.scheduler = scheduler;
        this.start = scheduler.instant();
    }

    public void event(String actor, String words) {
        events++;
        line(actor, words);
    }

    public void request(String actor, String words) {
        requests++;
        line(actor, words);
    }

    void fault(String actor, Fault fault) {
        faults.merge(fault, 1, Integer::sum);
        line(actor, "FAULT " + fault);
    }

    private void line(String actor, String words) {
        long milliseconds = Duration.between(start, scheduler.instant()).toMillis();
        lines.add("%8d ms  %-8s %s".formatted(milliseconds, actor, words));
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    int events() {
        return events;
    }

    int requests() {
        return requests;
    }

    int faults() {
        return faults.values().stream().mapToInt(Integer::intValue).sum();
    }
}
