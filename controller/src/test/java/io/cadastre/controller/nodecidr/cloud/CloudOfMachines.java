package io.cadastre.controller.nodecidr.cloud;

import io.cadastre.address.Prefix;
import io.cadastre.engine.nodecidr.cloud.AliasRanges;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/// Machines with alias ranges, of which no two overlap. It can be planned what becomes of the next calls.
final class CloudOfMachines implements CloudProvider {

    private final Map<String, List<String>> machines = new HashMap<>();
    private final Deque<AliasRanges> answers = new ArrayDeque<>();
    private final Deque<AliasAddition> additions = new ArrayDeque<>();
    private int asked;
    private boolean wrong;
    private boolean answersAreLost;
    private volatile CountDownLatch gate = new CountDownLatch(0);

    /// A machine of this node.
    synchronized CloudOfMachines with(String node, String... ranges) {
        machines.put(providerId(node), new ArrayList<>(List.of(ranges)));
        return this;
    }

    static String providerId(String node) {
        return "gce://p/z/" + node;
    }

    /// The next questions are answered so.
    synchronized CloudOfMachines answering(AliasRanges... next) {
        answers.addAll(List.of(next));
        return this;
    }

    /// The next question meets a bug.
    synchronized CloudOfMachines withABug() {
        wrong = true;
        return this;
    }

    /// The next additions end so, and add nothing.
    synchronized CloudOfMachines adding(AliasAddition... next) {
        additions.addAll(List.of(next));
        return this;
    }

    /// From now on additions are made, and reported as failed.
    synchronized void loseAnswers(boolean lost) {
        answersAreLost = lost;
    }

    synchronized List<String> rangesOf(String node) {
        return List.copyOf(machines.getOrDefault(providerId(node), List.of()));
    }

    synchronized int asked() {
        return asked;
    }

    /// Questions arrive and are not answered until the gate is opened.
    void shutGate() {
        gate = new CountDownLatch(1);
    }

    void openGate() {
        gate.countDown();
    }

    @Override
    public AliasRanges aliasRanges(String providerId) {
        count();
        try {
            gate.await();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        return answer(providerId);
    }

    private synchronized void count() {
        asked++;
    }

    private synchronized AliasRanges answer(String providerId) {
        if (wrong) {
            wrong = false;
            throw new IllegalStateException("this is wrong");
        }
        var planned = answers.poll();
        if (planned != null) {
            return planned;
        }
        var ranges = machines.get(providerId);
        return ranges == null
                ? new AliasRanges.NoSuchInstance("there is no machine " + providerId)
                : new AliasRanges.Found(ranges);
    }

    @Override
    public synchronized AliasAddition addAlias(String providerId, Prefix range, Runnable beforeSending) {
        beforeSending.run();
        var planned = additions.poll();
        if (planned != null) {
            return planned;
        }
        var ranges = machines.get(providerId);
        if (ranges == null) {
            return new AliasAddition.Failed("there is no machine " + providerId);
        }
        boolean taken = machines.entrySet().stream()
                .filter(machine -> !machine.getKey().equals(providerId))
                .flatMap(machine -> machine.getValue().stream())
                .anyMatch(held -> Prefix.parse(held).overlaps(range));
        if (taken) {
            return new AliasAddition.Refused("%s is already being used by another resource".formatted(range));
        }
        if (!ranges.contains(range.toString())) {
            ranges.add(range.toString());
        }
        return answersAreLost ? new AliasAddition.Failed("the answer was lost") : new AliasAddition.Added();
    }
}
