package io.cadastre.engine.demand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeStockTest {

    private static NodeStock stock(int available, int used, int pre, int min, int max, int watermark) {
        return new NodeStock(available, used, pre, min, max, watermark);
    }

    @ParameterizedTest
    @CsvSource({
        "0,0,8,0,0,8",
        "8,3,8,0,0,3",
        "8,8,8,0,0,8",
        "20,15,8,30,0,10",
        "10,9,8,0,12,2",
        "12,12,8,0,12,0",
        "0,0,8,20,10,10",
        "0,5,8,0,0,13",
        "8,4,8,8,6,0",
        "4,4,8,0,8,4",
        "8,4,8,0,0,4"
    })
    void whatIsMissing(int available, int used, int pre, int min, int max, int needed) {
        assertThat(stock(available, used, pre, min, max, 0).needed()).isEqualTo(needed);
    }

    @ParameterizedTest
    @CsvSource({
        "27,10,4,15,4,8",
        "27,19,4,15,4,0",
        "16,0,8,0,0,8",
        "16,7,8,0,0,1",
        "30,0,8,10,5,15",
        "30,10,8,10,5,7",
        "30,12,8,10,5,5",
        "30,20,8,10,5,0",
        "21,0,8,0,4,9",
        "48,20,8,0,8,12",
        "20,4,8,17,8,0"
    })
    void whatIsTooMany(int available, int used, int pre, int min, int watermark, int excess) {
        assertThat(stock(available, used, pre, min, 0, watermark).excess()).isEqualTo(excess);
    }

    /// What the node has once it is given what it lacks.
    private static NodeStock filled(NodeStock stock) {
        return stock.withAvailable(stock.available() + stock.toAllocate(0));
    }

    @Test
    void ci33EightAreFree() {
        var fresh = filled(stock(0, 0, 8, 0, 0, 0));

        assertThat(fresh.available()).isEqualTo(8);
        assertThat(filled(fresh.withUsed(7)).available()).isEqualTo(15);
    }

    @Test
    void ci34TheBaseStockIsEnoughUntilItIsUsedUp() {
        var base = filled(stock(0, 0, 1, 10, 0, 0));

        assertThat(base.available()).isEqualTo(10);
        assertThat(filled(base.withUsed(9)).available()).isEqualTo(10);
        assertThat(filled(base.withUsed(10)).available()).isEqualTo(11);
    }

    @Test
    void ci35TheWatermarkIsAddedAndTheExcessGoes() {
        var fresh = filled(stock(0, 0, 4, 15, 0, 4));
        var busy = filled(fresh.withUsed(19));
        var idle = busy.withUsed(10);

        assertThat(fresh.available()).isEqualTo(19);
        assertThat(busy.available()).isEqualTo(27);
        assertThat(idle.available() - idle.excess()).isEqualTo(19);
    }

    @Test
    void ci38TheMostIsNeverExceeded() {
        var stock = stock(10, 9, 8, 0, 12, 4);

        assertThat(stock.needed()).isEqualTo(2);
        assertThat(stock.toAllocate(0)).isEqualTo(2);
        assertThat(stock.toAllocate(50)).isEqualTo(2);
    }

    @Test
    void ci39PodsThatWaitAreServedAtOnce() {
        var stock = stock(0, 0, 8, 0, 0, 0);

        assertThat(stock.needed()).isEqualTo(8);
        assertThat(stock.surge(20)).isEqualTo(12);
        assertThat(stock.toAllocate(20)).isEqualTo(20);
    }

    @Test
    void nothingIsAddedWhereNothingIsMissingHoweverManyPodsWait() {
        assertThat(stock(16, 2, 8, 0, 0, 4).toAllocate(20)).isZero();
    }

    @Test
    void aNodeIsNeverMissingAndHavingTooManyAtOnceAndReleasingTheExcessMakesNothingMissing() {
        var random = new Random(1);
        for (int round = 0; round < 20_000; round++) {
            var stock = stock(
                    random.nextInt(40),
                    random.nextInt(40),
                    random.nextInt(12),
                    random.nextInt(20),
                    0,
                    random.nextInt(8));

            assertThat(stock.needed() > 0 && stock.excess() > 0).as("%s", stock).isFalse();
            assertThat(stock.withAvailable(stock.available() - stock.excess()).needed() > 0 && stock.excess() > 0)
                    .as("%s", stock)
                    .isFalse();
        }
    }

    @Test
    void negativeNumbersAreNoStock() {
        assertThatIllegalArgumentException().isThrownBy(() -> stock(0, -1, 0, 0, 0, 0));
    }
}
