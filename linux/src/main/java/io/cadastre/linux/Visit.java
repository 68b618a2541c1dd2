package io.cadastre.linux;

import java.util.function.Supplier;

/// A piece of work done in another network namespace, by a platform thread that does nothing else. Work in the own
/// namespace needs none ([Namespace#inside(Supplier)]).
///
/// It must not be a virtual thread, since it is the carrier that would be moved. Nor may the visitor wake
/// or start a virtual thread while it is away: that may start a carrier, and a new thread starts in the
/// namespace of the thread that starts it and stays there. So the visitor returns before another thread
/// sees the outcome, and its end is awaited by [Thread#join()], which the virtual machine signals and not
/// the visitor. If it cannot return it ends all the same, and takes the wrong namespace with it.
final class Visit<T> {

    private final String operation;
    private final Runnable wayIn;
    private final Supplier<T> work;

    /// Written by the visitor, read by the caller after the visitor's end.
    private Outcome<T> outcome = new Outcome.Pending<>();

    /// @param wayIn moves the thread it runs on into the other namespace
    Visit(String operation, Runnable wayIn, Supplier<T> work) {
        this.operation = operation;
        this.wayIn = wayIn;
        this.work = work;
    }

    /// Does the work and waits for its end, however often the caller is interrupted meanwhile: half of it
    /// would be of no use.
    T make() {
        var visitor = Thread.ofPlatform()
                .name(operation)
                .daemon()
                .inheritInheritableThreadLocals(false)
                .start(this::goAndReturn);
        awaitEnd(visitor);
        return switch (outcome) {
            case Outcome.Returned<T>(var value) -> value;
            case Outcome.Failed<T>(var failure) -> throw failure;
            case Outcome.Broke<T>(var error) -> throw error;
            case Outcome.Pending<T> _ -> throw new IllegalStateException(operation + ": the thread ended too early");
        };
    }

    private void goAndReturn() {
        try (var home = Namespace.openOwnOfThread()) {
            wayIn.run();
            outcome = attempt();
            home.use(number -> LibC.enterNetwork(operation, number));
        } catch (RuntimeException failure) {
            end(new Outcome.Failed<>(failure));
        } catch (Error error) {
            end(new Outcome.Broke<>(error));
        }
    }

    /// Once the work is done, a failure on the way back does not matter: the thread ends here.
    private void end(Outcome<T> failure) {
        if (outcome instanceof Outcome.Pending<T>) {
            outcome = failure;
        }
    }

    private Outcome<T> attempt() {
        try {
            return new Outcome.Returned<>(work.get());
        } catch (RuntimeException failure) {
            return new Outcome.Failed<>(failure);
        } catch (Error error) {
            return new Outcome.Broke<>(error);
        }
    }

    private static void awaitEnd(Thread visitor) {
        boolean interrupted = false;
        // Ends with the work, in which every call is bounded.
        while (visitor.isAlive()) {
            try {
                visitor.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private sealed interface Outcome<T> {

        record Pending<T>() implements Outcome<T> {}

        record Returned<T>(T value) implements Outcome<T> {}

        record Failed<T>(RuntimeException failure) implements Outcome<T> {}

        record Broke<T>(Error error) implements Outcome<T> {}
    }
}
