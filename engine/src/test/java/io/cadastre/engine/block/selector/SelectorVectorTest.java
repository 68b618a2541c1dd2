package io.cadastre.engine.block.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SelectorVectorTest {

    static List<SelectorVector> valid() {
        return SelectorVector.all().stream().filter(SelectorVector::valid).toList();
    }

    static List<SelectorVector> invalid() {
        return SelectorVector.all().stream().filter(vector -> !vector.valid()).toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("valid")
    void validTextHasCalicosCanonicalForm(SelectorVector vector) {
        var selector = Selector.parse(vector.text());

        assertThat(selector.canonical()).isEqualTo(vector.expected());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("valid")
    void validTextMatchesWhatCalicoMatches(SelectorVector vector) {
        var selector = Selector.parse(vector.text());

        assertThat(vector.evaluations())
                .allSatisfy(evaluation -> assertThat(selector.matches(evaluation.labels()))
                        .as("%s on %s", vector.text(), evaluation.labels())
                        .isEqualTo(evaluation.result()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("valid")
    void canonicalTextMatchesTheSame(SelectorVector vector) {
        var reread = Selector.parse(Selector.parse(vector.text()).canonical());

        assertThat(vector.evaluations())
                .allMatch(evaluation -> reread.matches(evaluation.labels()) == evaluation.result());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("invalid")
    void invalidTextIsRefusedInCalicosWords(SelectorVector vector) {
        assertThatThrownBy(() -> Selector.parse(vector.text()))
                .isInstanceOf(SelectorSyntaxException.class)
                .hasMessage(vector.expected());
    }

    @Test
    void everyRowOfTheTableIsThere() {
        var rows = SelectorVector.all().stream()
                .map(vector -> Integer.parseInt(vector.id().substring(4, 6)))
                .toList();

        assertThat(rows)
                .hasSize(116)
                .containsAll(IntStream.rangeClosed(1, 80).boxed().toList());
    }
}
