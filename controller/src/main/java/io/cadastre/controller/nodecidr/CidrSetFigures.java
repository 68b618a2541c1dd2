package io.cadastre.controller.nodecidr;

import io.cadastre.engine.nodecidr.CidrSet;
import io.cadastre.wire.pages.Histogram;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.pages.Metric.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What upstream counts of sets of node CIDRs, by upstream's names. A series appears with its first increment.
public final class CidrSetFigures {

    private static final double[] TRIES = {1, 5, 25, 125, 625};

    private final String names;
    private final String sizeName;

    /// By the labels of the set.
    private final Map<List<String>, Counts> counts = new LinkedHashMap<>();

    private static final class Counts {
        private final Histogram tries = new Histogram(TRIES);
        private long allocations;
        private long releases;
        private boolean tried;
    }

    /// @param names what the names of the metrics begin with
    /// @param sizeName the name of the one that tells the size, which upstream spells in several ways
    public CidrSetFigures(String names, String sizeName) {
        this.names = names;
        this.sizeName = sizeName;
    }

    /// The set of these labels has changed.
    public void changed(List<String> labels, int usedBefore, int usedAfter) {
        var counted = counts(labels);
        counted.allocations += Math.max(0, usedAfter - usedBefore);
        counted.releases += Math.max(0, usedBefore - usedAfter);
    }

    /// A block was chosen behind this number of used ones.
    public void tried(List<String> labels, int tries) {
        var counted = counts(labels);
        counted.tries.observe(tries);
        counted.tried = true;
    }

    private Counts counts(List<String> labels) {
        return counts.computeIfAbsent(labels, _ -> new Counts());
    }

    /// The metrics of these sets.
    ///
    /// @param sets as they are now, by their labels
    public List<Metric> metrics(Map<List<String>, CidrSet> sets) {
        var allocations = new ArrayList<Sample>();
        var releases = new ArrayList<Sample>();
        var sizes = new ArrayList<Sample>();
        var usage = new ArrayList<Sample>();
        Map<List<String>, Histogram> tries = new LinkedHashMap<>();
        sets.forEach((labels, set) -> {
            var counted = counts(labels);
            sizes.add(new Sample("", set.blockCount(), labels));
            if (counted.allocations > 0) {
                allocations.add(new Sample("", counted.allocations, labels));
            }
            if (counted.releases > 0) {
                releases.add(new Sample("", counted.releases, labels));
            }
            if (counted.allocations + counted.releases > 0) {
                usage.add(new Sample("", (double) set.usedCount() / set.blockCount(), labels));
            }
            if (counted.tried) {
                tries.put(labels, counted.tries);
            }
        });
        return List.of(
                Metric.counter(names + "_cidrs_allocations_total", "Node CIDRs that became used.", allocations),
                Metric.counter(names + "_cidrs_releases_total", "Node CIDRs that became free.", releases),
                Metric.gauge(sizeName, "Node CIDRs of the cluster CIDR.", sizes),
                Metric.gauge(names + "_usage_cidrs", "Part of the node CIDRs that is used.", usage),
                Metric.histogram(
                        names + "_allocation_tries_per_request",
                        "Used node CIDRs that were passed over to find a free one.",
                        tries));
    }
}
