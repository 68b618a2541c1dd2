package io.cadastre.verification.simulation.runtime;

import io.cadastre.registry.Pause;
import java.lang.reflect.Field;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/// Virtual threads that run one at a time, in an order drawn from a seed, on a clock that moves only when
/// no thread can run.
///
/// The goal is that ordinary blocking code, with its locks and futures, has one history per seed and no
/// hooks for it. The method: a virtual thread that becomes ready is handed to its scheduler, and ours is a
/// list from which a seeded generator picks the next. All of it happens on the one platform thread that
/// calls [#run(int)], so nothing here needs a lock. The JDK has no public way to give a virtual thread a
/// scheduler, so the field of the builder is set by reflection, which wants `--add-opens
/// java.base/java.lang=ALL-UNNAMED`. Timed waits of the JDK would still use real time: simulated threads
/// wait by [#pause(Duration)].
public final class SeededScheduler implements InstantSource {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final RandomGenerator dice;
    private final ThreadFactory threads;
    private final List<Runnable> ready = new ArrayList<>();
    private final PriorityQueue<Timer> timers =
            new PriorityQueue<>(Comparator.comparing(Timer::at).thenComparingLong(Timer::number));
    private final List<Throwable> failures = new ArrayList<>();

    private Instant now = START;
    private long timersStarted;
    private int threadsAlive;

    private record Timer(Instant at, long number, CompletableFuture<Boolean> rung) {}

    SeededScheduler(RandomGenerator dice) {
        this.dice = dice;
        this.threads = virtualThreadsOn(ready::add);
    }

    /// Whether this JVM lets virtual threads be scheduled.
    static boolean available() {
        return Object.class.getModule().isOpen("java.lang", SeededScheduler.class.getModule());
    }

    /// No instant is returned twice, as from a real clock.
    @Override
    public Instant instant() {
        now = now.plusNanos(1);
        return now;
    }

    /// Starts a thread; it runs when it is drawn.
    public void start(String name, Runnable body) {
        threadsAlive++;
        var thread = threads.newThread(() -> {
            try {
                body.run();
            } catch (RuntimeException | Error failure) {
                failures.add(failure);
            } finally {
                threadsAlive--;
            }
        });
        thread.setName(name);
        thread.start();
    }

    /// Lets any thread that can run go first.
    void handBack() {
        var turn = new CompletableFuture<Boolean>();
        ready.add(() -> turn.complete(true));
        turn.join();
    }

    /// Waits in simulated time.
    public void pause(Duration duration) {
        await(new CompletableFuture<>(), duration);
    }

    /// Waits in simulated time, or until the event is completed.
    void await(CompletableFuture<Boolean> event, Duration limit) {
        timers.add(new Timer(now.plus(limit), timersStarted++, event));
        event.join();
    }

    /// The [Pause] for simulated code.
    public Pause pausing() {
        return new Pause() {
            @Override
            public void pause(Duration duration) {
                SeededScheduler.this.pause(duration);
            }

            @Override
            public void await(CompletableFuture<?> event, Duration limit) {
                SeededScheduler.this.await(event.thenApply(_ -> true), limit);
            }
        };
    }

    /// A failure was found by a thread whose owner would not pass it on.
    public void fail(Throwable failure) {
        failures.add(failure);
    }

    /// Runs until every thread has ended, or one has failed.
    ///
    /// @throws AssertionError if a thread failed, if threads wait that no other thread will wake, or if
    ///     there is no end within this many steps
    void run(int stepsMax) {
        for (int step = 0; step < stepsMax; step++) {
            if (!failures.isEmpty()) {
                var failure = failures.getFirst();
                throw new AssertionError(String.valueOf(failure.getMessage()), failure);
            }
            if (!ready.isEmpty()) {
                ready.remove(dice.nextInt(ready.size())).run();
            } else if (!timers.isEmpty()) {
                var timer = timers.remove();
                if (!timer.rung().isDone()) {
                    now = timer.at();
                    timer.rung().complete(true);
                }
            } else if (threadsAlive > 0) {
                throw new AssertionError("%d threads wait for an event that cannot come".formatted(threadsAlive));
            } else {
                return;
            }
        }
        throw new AssertionError("no end within %d steps".formatted(stepsMax));
    }

    private static ThreadFactory virtualThreadsOn(Executor scheduler) {
        var builder = Thread.ofVirtual();
        try {
            Field field = Arrays.stream(builder.getClass().getDeclaredFields())
                    .filter(candidate -> Executor.class.isAssignableFrom(candidate.getType()))
                    .findFirst()
                    .orElseThrow(
                            () -> new IllegalStateException("this JDK's virtual thread builder has no" + " scheduler"));
            field.setAccessible(true);
            field.set(builder, scheduler);
            return builder.factory();
        } catch (ReflectiveOperationException | RuntimeException closed) {
            throw new IllegalStateException(
                    "the simulator needs the JVM flag --add-opens java.base/java.lang=ALL-UNNAMED", closed);
        }
    }
}
