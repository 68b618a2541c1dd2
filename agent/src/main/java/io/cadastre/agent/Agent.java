package io.cadastre.agent;

import io.cadastre.agent.Admission.Place;
import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.DoorbellFrame;
import io.cadastre.wire.cni.DoorbellFrame.Call;
import io.cadastre.wire.cni.FrameException;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// Answers the callers at its socket, each in its own thread.
///
/// One thread at a time waits for a caller, and then serves it: handing a caller over to another thread
/// would take longer than many calls do. Before it serves, it makes sure that another thread waits.
///
/// The agent hangs up on a call that takes longer than its plugin waits, and on a caller that does not send
/// its request in time. What such a call does afterwards is undone once the call ends.
public final class Agent implements AutoCloseable {

    /// How long threads may take to notice that the agent ends.
    private static final Duration FINISH_MAX = Duration.ofSeconds(5);

    /// At most this many threads wait for callers, so that the extra threads of a burst end with it.
    private static final int WAITING_THREADS_MAX = 8;

    private final AgentSettings settings;
    private final PluginRouter router;
    private final Consumer<String> log;
    private final AgentSocket socket;
    private final ThreadFactory threads;
    private final Admission admission;
    private final CallService calls;
    private final Set<SocketChannel> clients = ConcurrentHashMap.newKeySet();
    private final CallDeadlines deadlines;

    /// Guards the waiting for the next caller.
    private final ReentrantLock door = new ReentrantLock();

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread draining;

    private Agent(AgentSettings settings, PluginRouter router, Consumer<String> log, ThreadFactory threads) {
        this.settings = settings;
        this.router = router;
        this.log = log;
        this.threads = threads;
        this.admission = new Admission(settings.underWayMax(), settings.waitingMax());
        this.calls = new CallService(Spool.in(settings.spool()), router, log);
        this.draining = Thread.ofVirtual().name("agent-spool").unstarted(this::keepDraining);
        this.socket = AgentSocket.open(settings.socket());
        this.deadlines = new CallDeadlines(log);
    }

    /// Does the calls in the spool, and then begins to answer. Spooled calls that start programs are done
    /// once it answers, since those programs may call it.
    ///
    /// @param log takes a sentence for each failure that is not reported anywhere else
    /// @throws AgentException if another agent has the socket, or it cannot be had
    public static Agent start(AgentSettings settings, PluginRouter router, Consumer<String> log) {
        return start(
                settings,
                router,
                log,
                Thread.ofPlatform().daemon().name("agent-call").factory());
    }

    /// @param threads makes those that serve callers
    static Agent start(AgentSettings settings, PluginRouter router, Consumer<String> log, ThreadFactory threads) {
        var agent = new Agent(settings, router, log, threads);
        agent.calls.drain(call -> !router.startsPrograms(call));
        agent.addThread();
        agent.draining.start();
        return agent;
    }

    static String container(Call call) {
        return call.variable("CNI_CONTAINERID");
    }

    static boolean is(Call call, CniVerb verb) {
        return call.variable("CNI_COMMAND").equals(verb.name());
    }

    // ---- the spool ----

    private void keepDraining() {
        try {
            calls.drain(router::startsPrograms);
            // Ends: when the agent stops.
            while (!stopped.await(settings.drainPeriod().toNanos(), TimeUnit.NANOSECONDS)) {
                calls.drain(_ -> true);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- callers ----

    private void addThread() {
        threads.newThread(this::serveCallers).start();
    }

    /// There are as many threads as callers at once, and a few that wait for the next ones.
    private void serveCallers() {
        // Ends: when the socket is closed, or enough others wait.
        while (stopped.getCount() > 0 && door.getQueueLength() < WAITING_THREADS_MAX) {
            try {
                var client = accept();
                receive(client, System.nanoTime());
            } catch (ClosedChannelException closed) {
                return;
            } catch (IOException broken) {
                log.accept("cannot accept connections: " + broken.getMessage());
                if (!rest()) {
                    return;
                }
            }
        }
    }

    private SocketChannel accept() throws IOException {
        door.lock();
        try {
            // Ends: with a caller, or when the socket is closed.
            while (true) {
                var client = socket.accept();
                if (door.hasQueuedThreads() || hasAddedThread()) {
                    return client;
                }
                client.close();
            }
        } finally {
            door.unlock();
        }
    }

    /// Without a thread for the next caller this one must go on waiting, and hangs up on the one that it has.
    private boolean hasAddedThread() {
        try {
            addThread();
            return true;
        } catch (OutOfMemoryError exhausted) {
            log.accept(
                    "a call is dropped, since no thread can be started: %s; raise the limit of processes or of memory"
                            .formatted(exhausted.getMessage()));
            return false;
        }
    }

    /// Gives files and memory time to become available again. Returns whether to go on.
    private boolean rest() {
        try {
            return !stopped.await(1, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            return false;
        }
    }

    private void receive(SocketChannel client, long arrived) {
        clients.add(client);
        try (client) {
            var place = admission.enter();
            if (place.isEmpty()) {
                send(client, tooMany());
                return;
            }
            try (var held = place.get()) {
                serve(client, held, arrived);
            }
        } catch (IOException gone) {
            // The caller hung up, or the agent hung up on it. What the call did was undone.
        } catch (RuntimeException | Error bug) {
            log.accept("a call failed: " + bug);
            throw bug;
        } finally {
            clients.remove(client);
        }
    }

    private static CniAnswer tooMany() {
        return CallService.refusal(
                CniError.of(CniCode.TRY_AGAIN_LATER, "the agent is at its limit of concurrent calls"));
    }

    private void serve(SocketChannel client, Place place, long arrived) throws IOException {
        try {
            answer(client, place, arrived);
        } finally {
            deadlines.clear(client);
        }
    }

    private void answer(SocketChannel client, Place place, long arrived) throws IOException {
        Call call;
        deadlines.set(client, System.nanoTime() + settings.readMax().toNanos());
        try {
            call = DoorbellFrame.readCall(Channels.newInputStream(client));
        } catch (EOFException | ClosedChannelException silent) {
            return;
        } catch (FrameException strange) {
            var words = String.valueOf(strange.getMessage());
            send(client, CallService.refusal(CniError.of(CniCode.IO_FAILURE, words)));
            return;
        }
        var limit = is(call, CniVerb.DEL) ? settings.delMax() : settings.callMax();
        long deadline = arrived + limit.toNanos();
        deadlines.set(client, deadline);
        if (router.startsPrograms(call) && !place.moveOut()) {
            send(client, tooMany());
            return;
        }
        calls.serve(call, Withdrawal.ofAnswerBy(deadline), answer -> send(client, answer));
    }

    private static void close(SocketChannel client) {
        try {
            client.close();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static void send(SocketChannel client, CniAnswer answer) throws IOException {
        var bytes = ByteBuffer.wrap(DoorbellFrame.encode(answer).toByteArray());
        // Ends: each round sends some.
        while (bytes.hasRemaining()) {
            client.write(bytes);
        }
    }

    // ---- the end ----

    /// Accepts no more callers, finishes the calls under way, and then frees the socket for another agent.
    /// Closing twice is the same as closing once.
    @Override
    public void close() {
        stopped.countDown();
        try (socket) {
            socket.shut();
            var longest = settings.readMax().plus(settings.callMax());
            if (!admission.awaitEmpty(longest.plus(FINISH_MAX))) {
                log.accept("stopping while calls are still running");
            }
            clients.forEach(Agent::close);
            if (!draining.join(FINISH_MAX)) {
                log.accept("stopping while the spool is still being read");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (IOException broken) {
            log.accept("the socket cannot be removed: " + broken.getMessage());
        } finally {
            deadlines.close();
        }
    }
}
