package io.cadastre.agent;

import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.DoorbellFrame.Call;
import io.cadastre.wire.cni.NetworkConfig;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Does what lies in the spool.
final class SpoolDrain {

    private final Spool spool;
    private final Switchboard switchboard;
    private final Turns turns;
    private final Consumer<String> log;

    /// What is none of ours and was said.
    private final Set<Path> reported = ConcurrentHashMap.newKeySet();

    SpoolDrain(Spool spool, Switchboard switchboard, Turns turns, Consumer<String> log) {
        this.spool = spool;
        this.switchboard = switchboard;
        this.turns = turns;
        this.log = log;
    }

    /// What became of an entry.
    private enum Fate {
        SETTLED,
        LATER
    }

    /// Does all there is, but of what must be tried again later only the first of its kind: what the others
    /// need is not there either, and each would wait for it in vain. Other kinds need something else.
    ///
    /// @param which calls are done
    void drain(Predicate<Call> which) {
        var waiting = new HashSet<String>();
        for (var entry : entries()) {
            drain(entry, which, waiting);
        }
    }

    /// What may be done. What is none of ours is said once.
    private List<Path> entries() {
        var contents = spool.contents();
        reported.retainAll(contents.strange());
        for (var strange : contents.strange()) {
            if (reported.add(strange)) {
                log.accept(
                        "%s is left alone: only regular files of the agent's own user are done; remove it"
                                .formatted(strange));
            }
        }
        return contents.own();
    }

    private void drain(Path entry, Predicate<Call> which, Set<String> waiting) {
        try {
            var call = spool.read(entry).filter(which);
            if (call.isEmpty() || waiting.contains(kind(call.get()))) {
                return;
            }
            try (var _ = turns.take(switchboard.turn(call.get()))) {
                // Whoever had the turn before may have done it, and added the container anew.
                if (spool.has(entry) && perform(entry, call.get()) == Fate.LATER) {
                    waiting.add(kind(call.get()));
                }
            }
        } catch (IOException unreadable) {
            refuse(entry, unreadable.toString());
        }
    }

    /// Who answers the call, and who gives him addresses.
    private static String kind(Call call) {
        try {
            return NetworkConfig.read(call.stdin())
                    .ipam()
                    .map(ipam -> ipam.text("type") + " " + Switchboard.dialect(ipam))
                    .map(addresses -> call.plugin() + " " + addresses)
                    .orElse(call.plugin());
        } catch (CniException _) {
            return call.plugin();
        }
    }

    /// Does what waits for the turn that the caller has, before anything else is done for its container: the
    /// runtime was told that it is deleted, and may add it again.
    ///
    /// @throws CniException if that must be tried again later
    void settle(Call asked) {
        var turn = switchboard.turn(asked);
        for (var entry : entries()) {
            try {
                var call = spool.read(entry).filter(left -> switchboard.turn(left).equals(turn));
                if (call.isPresent() && perform(entry, call.get()) == Fate.LATER) {
                    throw new CniException(
                            CniCode.TRY_AGAIN_LATER,
                            "an earlier DEL of container %s is not done yet"
                                    .formatted(Agent.container(asked)));
                }
            } catch (IOException unreadable) {
                refuse(entry, unreadable.toString());
            }
        }
    }

    private Fate perform(Path entry, Call call) {
        if (!call.variable("CNI_COMMAND").equals(CniVerb.DEL.name())) {
            return refuse(entry, "it is no DEL");
        }
        var answer = switchboard.answer(call, new Withdrawal());
        if (answer.exitCode() == 0) {
            spool.remove(entry);
            return Fate.SETTLED;
        }
        var error = error(answer);
        if (error.is(CniCode.TRY_AGAIN_LATER) || error.is(CniCode.PLUGIN_NOT_AVAILABLE)) {
            log.accept(
                    "the DEL of container %s stays in the spool: %s"
                            .formatted(Agent.container(call), error.sentence()));
            return Fate.LATER;
        }
        return refuse(entry, error.sentence());
    }

    private static CniError error(CniAnswer answer) {
        try {
            return CniError.parse(answer.stdout());
        } catch (CniException unreadable) {
            return unreadable.error();
        }
    }

    private Fate refuse(Path entry, String why) {
        log.accept("%s is set aside: %s".formatted(spool.setAside(entry), why));
        return Fate.SETTLED;
    }
}
