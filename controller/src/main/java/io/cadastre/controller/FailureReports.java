package io.cadastre.controller;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// Failures of a control loop, by the name of what it works on. A failure that lasts is reported once.
public final class FailureReports {

    private final Consumer<String> reports;

    /// The last failure of each name that has one.
    private final Map<String, String> reported = new ConcurrentHashMap<>();

    public FailureReports(ControllerContext context) {
        this.reports = context.reports();
    }

    public void report(String name, String sentence) {
        if (!sentence.equals(reported.put(name, sentence))) {
            reports.accept(sentence);
        }
    }

    /// The next failure of this name is reported, also if it is the same as the last one.
    public void forget(String name) {
        reported.remove(name);
    }

    public void forgetAll() {
        reported.clear();
    }
}
