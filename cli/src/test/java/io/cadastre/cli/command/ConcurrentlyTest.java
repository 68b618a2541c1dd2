package io.cadastre.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class ConcurrentlyTest {

    @Test
    void errandsBesideOneThatFailsAreAwaitedAndReported() {
        var reported = new ArrayList<String>();
        var failing = new CountDownLatch(1);

        var thrown = catchThrowable(() -> Concurrently.run(
                List.of("fails", "late", "fails later"),
                name -> switch (name) {
                    case "fails" -> {
                        failing.countDown();
                        throw new IllegalStateException(name);
                    }
                    case "late" -> afterwards(failing, name);
                    default -> {
                        afterwards(failing, name);
                        throw new IllegalStateException(name);
                    }
                },
                (_, result) -> reported.add(result)));

        assertThat(thrown).isInstanceOf(IllegalStateException.class).hasMessage("fails");
        assertThat(reported).containsExactly("late");
    }

    @Test
    void errandsAreAwaitedWhenAReportFails() {
        var reporting = new CountDownLatch(1);
        var done = new ConcurrentLinkedQueue<String>();

        var thrown = catchThrowable(() -> Concurrently.run(
                List.of("first", "late"),
                name -> {
                    if (name.equals("late")) {
                        afterwards(reporting, name);
                    }
                    done.add(name);
                    return name;
                },
                (name, _) -> {
                    reporting.countDown();
                    throw new IllegalStateException("no paper: " + name);
                }));

        assertThat(thrown).hasMessage("no paper: first");
        assertThat(done).containsExactly("first", "late");
    }

    @Test
    void errorOfAnErrandIsThrownAsItIs() {
        var error = new AssertionError("planted");

        var thrown = catchThrowable(() -> Concurrently.run(
                List.of("one"),
                _ -> {
                    throw error;
                },
                (_, _) -> {}));

        assertThat(thrown).isSameAs(error);
    }

    private static String afterwards(CountDownLatch latch, String name) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
        return name;
    }
}
