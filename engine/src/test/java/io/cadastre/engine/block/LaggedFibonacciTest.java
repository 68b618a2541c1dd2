package io.cadastre.engine.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.block.index.LaggedFibonacci;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LaggedFibonacciTest {

    @ParameterizedTest
    @CsvSource({
        "0, -4181792142133755926",
        "1, -4576982950128230565",
        "606, 4152330101494654406",
    })
    void derivedTableIsThatOfGo(int index, long word) {
        assertThat(LaggedFibonacci.tableWord(index)).isEqualTo(word);
    }

    @Test
    void seedOneGivesTheFirstNumbersOfGo() {
        var random = LaggedFibonacci.seeded(1);

        assertThat(random.next() & Long.MAX_VALUE).isEqualTo(5577006791947779410L);
        assertThat(random.next() & Long.MAX_VALUE).isEqualTo(8674665223082153551L);
    }

    @Test
    void numbersAreSumsOfEarlierOnesForMoreThanARing() {
        var random = LaggedFibonacci.seeded(42);
        var numbers = new long[2000];
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] = random.next();
        }

        for (int index = 607; index < numbers.length; index++) {
            assertThat(numbers[index]).as("number %d", index).isEqualTo(numbers[index - 607] + numbers[index - 273]);
        }
    }

    @Test
    void smallNumbersAreTheUpperHalfOfPositiveOnes() {
        var whole = LaggedFibonacci.seeded(7);
        var half = LaggedFibonacci.seeded(7);

        for (int index = 0; index < 1000; index++) {
            assertThat(half.next32()).isEqualTo(whole.next() << 1 >>> 32);
        }
    }

    @Test
    void seedsAreTakenModuloAPrime() {
        var random = new Random(1);
        long prime = Integer.MAX_VALUE;

        for (int round = 0; round < 100; round++) {
            long seed = random.nextInt(Integer.MAX_VALUE);
            long expected = LaggedFibonacci.seeded(seed).next();

            assertThat(LaggedFibonacci.seeded(seed + prime).next()).isEqualTo(expected);
            assertThat(LaggedFibonacci.seeded(seed - prime).next()).isEqualTo(expected);
        }
    }

    @Test
    void seedZeroStandsForAnother() {
        long expected = LaggedFibonacci.seeded(89482311).next();

        assertThat(LaggedFibonacci.seeded(0).next()).isEqualTo(expected);
        assertThat(LaggedFibonacci.seeded(Integer.MAX_VALUE).next()).isEqualTo(expected);
    }
}
