package io.cadastre.agent.spiderpool;

import io.cadastre.agent.spiderpool.CallFigures.FailureClass;
import io.cadastre.wire.pages.Metric;
import java.util.EnumSet;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/// What an agent of pools did since it began, under the names of Spiderpool's dashboards.
///
/// @param allocations calls for addresses
/// @param releases calls that give back addresses
record PoolFigures(CallFigures allocations, CallFigures releases) {

    /// @param nanos the clock that only runs forward
    static PoolFigures by(LongSupplier nanos) {
        return new PoolFigures(
                new CallFigures("allocation", EnumSet.allOf(FailureClass.class), nanos),
                new CallFigures("release", EnumSet.of(FailureClass.INTERNAL, FailureClass.RETRIES_EXHAUSTED), nanos));
    }

    List<Metric> metrics() {
        return Stream.of(allocations, releases)
                .flatMap(figures -> figures.metrics().stream())
                .toList();
    }
}
