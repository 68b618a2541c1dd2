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
    private final PluginRouter router;
    private final KeyedLock turns;
    private final Consumer<String> log;

    /// Entries that are not ours and were reported.
    private final Set<Path> reported = ConcurrentHashMap.newKeySet();

    SpoolDrain(Spool spool, PluginRouter router, KeyedLock turns, Consumer<String> log) {
        this.spool = spool;
        this.router = router;
        this.turns = turns;
        this.log = log;
    }

    /// What became of an entry.
    private enum EntryResult {
        SETTLED,
        LATER
    }

    /// Does every entry. Of those that must be tried again later, it tries only the first of each kind: the
    /// others need the same thing that is missing now, and each would wait for it in vain. Other kinds need
    /// something else.
    ///
    /// @param which calls are done
    void drain(Predicate<Call> which) {
        var waiting = new HashSet<String>();
        for (var entry : entries()) {
            drain(entry, which, waiting);
        }
    }

    /// The entries that may be done. An entry that is not ours is reported once.
    private List<Path> entries() {
        var contents = spool.contents();
        reported.retainAll(contents.strange());
        for (var strange : contents.strange()) {
            if (reported.add(strange)) {
                log.accept("%s is ignored: only regular files of the agent's own user are processed; remove it"
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
            try (var _ = turns.take(router.turn(call.get()))) {
                // The call that had the turn before may have done it, and added the container anew.
                if (spool.has(entry) && perform(entry, call.get()) == EntryResult.LATER) {
                    waiting.add(kind(call.get()));
                }
            }
        } catch (IOException unreadable) {
            refuse(entry, unreadable.toString());
        }
    }

    /// The plugin that answers the call, and the one that gives it addresses.
    private static String kind(Call call) {
        try {
            return NetworkConfig.read(call.stdin())
                    .ipam()
                    .map(ipam -> ipam.text("type") + " " + ServedPlugins.dialect(ipam))
                    .map(addresses -> call.plugin() + " " + addresses)
                    .orElse(call.plugin());
        } catch (CniException _) {
            return call.plugin();
        }
    }

    /// Does the spooled calls of the container whose turn the caller has, before anything else is done for
    /// it: the runtime was answered that the container is deleted, and may add it again.
    ///
    /// @throws CniException if that must be tried again later
    void settle(Call asked) {
        var turn = router.turn(asked);
        for (var entry : entries()) {
            try {
                var call = spool.read(entry).filter(left -> router.turn(left).equals(turn));
                if (call.isPresent() && perform(entry, call.get()) == EntryResult.LATER) {
                    throw new CniException(
                            CniCode.TRY_AGAIN_LATER,
                            "an earlier DEL of container %s is not done yet".formatted(Agent.container(asked)));
                }
            } catch (IOException unreadable) {
                refuse(entry, unreadable.toString());
            }
        }
    }

    private EntryResult perform(Path entry, Call call) {
        if (!call.variable("CNI_COMMAND").equals(CniVerb.DEL.name())) {
            return refuse(entry, "it is not a DEL");
        }
        var answer = router.answer(call, new Withdrawal());
        if (answer.exitCode() == 0) {
            spool.remove(entry);
            return EntryResult.SETTLED;
        }
        var error = error(answer);
        if (error.is(CniCode.TRY_AGAIN_LATER) || error.is(CniCode.PLUGIN_NOT_AVAILABLE)) {
            log.accept("the DEL of container %s stays in the spool: %s"
                    .formatted(Agent.container(call), error.sentence()));
            return EntryResult.LATER;
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

    private EntryResult refuse(Path entry, String why) {
        log.accept("%s is set aside: %s".formatted(spool.setAside(entry), why));
        return EntryResult.SETTLED;
    }
}
