package io.cadastre.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Entries as kube-controller-manager reads them.
class ChosenLoopsTest {

    private static final List<String> KNOWN = List.of("one", "two");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        *         | true  | true
        one       | true  | false
        *,-one    | false | true
        -one,*    | false | true
        one,-one  | true  | false
        -one,one  | false | false
        one,two   | true  | true
        """)
    void firstEntryThatNamesALoopDecides(String entries, boolean one, boolean two) {
        var chosen = new ChosenLoops(List.of(entries.split(",")), List.of());

        assertThat(chosen.includes("one")).isEqualTo(one);
        assertThat(chosen.includes("two")).isEqualTo(two);
    }

    @Test
    void unknownNameIsAFault() {
        assertThat(new ChosenLoops(List.of("*", "-three"), List.of()).fault(KNOWN))
                .contains("unknown controller 'three'; known controllers: one, two");
        assertThat(new ChosenLoops(List.of("*", ""), List.of()).fault(KNOWN))
                .contains("unknown controller ''; known controllers: one, two");
    }

    @Test
    void choiceOfNothingIsAFault() {
        assertThat(new ChosenLoops(List.of("-one"), List.of()).fault(KNOWN))
                .contains("no controller is chosen; known controllers: one, two");
        assertThat(new ChosenLoops(List.of("*", "-one"), List.of()).fault(KNOWN))
                .isEmpty();
    }

    @Test
    void loopThatIsOffByDefaultRunsOnlyIfItIsNamed() {
        var off = List.of("two");

        assertThat(new ChosenLoops(List.of("*"), off).includes("two")).isFalse();
        assertThat(new ChosenLoops(List.of("*"), off).includes("one")).isTrue();
        assertThat(new ChosenLoops(List.of("*", "two"), off).includes("two")).isTrue();
        assertThat(new ChosenLoops(List.of("two"), off).includes("two")).isTrue();
    }
}
