package io.cadastre.agent;

import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.CniVersion;
import io.cadastre.wire.cni.DoorbellFrame.Call;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Serves calls, one at a time for each container, however they arrive. What waits in the spool for the
/// container is done first, and what a caller does not learn of is undone.
public final class CallService {

    private final PluginRouter router;
    private final Consumer<String> log;
    private final KeyedLock turns = new KeyedLock();
    private final SpoolDrain drain;

    /// @param log takes a sentence for each failure that no caller learns of
    public CallService(Spool spool, PluginRouter router, Consumer<String> log) {
        this.router = router;
        this.log = log;
        this.drain = new SpoolDrain(spool, router, turns, log);
    }

    /// The way to a caller.
    @FunctionalInterface
    public interface Reply {

        /// Sends the answer.
        ///
        /// @throws IOException if the caller is gone
        void send(CniAnswer answer) throws IOException;
    }

    /// Serves a call in its turn. A caller that does not wait any more by then is given nothing.
    ///
    /// @throws IOException if the caller is gone; what was done for it is undone
    public void serve(Call call, Withdrawal withdrawal, Reply reply) throws IOException {
        try (var _ = turns.take(turn(call))) {
            if (withdrawal.left().isPositive()) {
                deliver(call, withdrawal, reply);
            }
        }
    }

    /// What is about no container waits for no other call.
    private String turn(Call call) {
        return Agent.container(call).isEmpty() ? "/" + System.identityHashCode(call) : router.turn(call);
    }

    private void deliver(Call call, Withdrawal withdrawal, Reply reply) throws IOException {
        var answer = answer(call, withdrawal);
        try {
            reply.send(answer);
        } catch (IOException gone) {
            log.accept("the caller left before the reply to %s of container %s was sent: %s"
                    .formatted(call.variable("CNI_COMMAND"), Agent.container(call), gone));
            withdraw(withdrawal);
            throw gone;
        }
    }

    private CniAnswer answer(Call call, Withdrawal withdrawal) {
        try {
            if (Agent.is(call, CniVerb.ADD) || Agent.is(call, CniVerb.CHECK)) {
                drain.settle(call);
            }
            return router.answer(call, withdrawal);
        } catch (CniException later) {
            return refusal(later.error());
        } catch (UncheckedIOException broken) {
            return refusal(CniError.of(
                    CniCode.TRY_AGAIN_LATER, "the spool cannot be read", String.valueOf(broken.getMessage())));
        }
    }

    static CniAnswer refusal(CniError error) {
        return CniAnswer.failure(error, CniVersion.NEWEST);
    }

    private void withdraw(Withdrawal withdrawal) {
        try {
            withdrawal.carryOut();
        } catch (RuntimeException failed) {
            log.accept("the call could not be undone: " + failed.getMessage());
        }
    }

    /// Does what lies in the spool.
    ///
    /// @param which calls are done
    public void drain(Predicate<Call> which) {
        try {
            drain.drain(which);
        } catch (UncheckedIOException broken) {
            log.accept("the spool cannot be drained: " + broken.getMessage());
        }
    }
}
