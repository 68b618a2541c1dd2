package io.cadastre.wire.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.wire.pages.Metric.Sample;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistogramTest {

    @Test
    void limitsAreSpelledAsGoSpellsThem() {
        var histogram =
                new Histogram(1.5e-10, 1e-8, 9.999999999999999e-6, 1e-4, 0.0025, 1, 12.5, 1e7, 1e20, 1e21, 2.5e100);

        var limits = histogram.samples(List.of()).stream()
                .filter(sample -> sample.suffix().equals("_bucket"))
                .map(Sample::labels)
                .map(List::getLast);

        assertThat(limits)
                .containsExactly(
                        "1.5e-10",
                        "1e-08",
                        "9.999999999999999e-06",
                        "0.0001",
                        "0.0025",
                        "1",
                        "12.5",
                        "10000000",
                        "100000000000000000000",
                        "1e+21",
                        "2.5e+100",
                        "+Inf");
    }
}
