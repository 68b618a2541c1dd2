package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Write;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// How a page writes what was noted in it.
public final class Commits {

    private Commits() {}

    /// The writes of a page that were done before it stopped: all of the stages before the one that stopped it, and any
    /// part of that one.
    ///
    /// @param revision the revision of the store after the last of them
    /// @param rest what is known of the other writes
    public record Written(List<Write> writes, long revision, PartialCommit.Rest rest) {

        public Written {
            writes = List.copyOf(writes);
        }
    }

    /// Why a save stopped half way.
    ///
    /// @param conflict the first conflict, counted among all writes, if every answer came
    public record Stop(PartialCommit.Rest rest, Optional<Commit.Conflict> conflict) {}

    /// Writes that do not depend on each other and are committed when they are asked for: how each of them ended.
    ///
    /// @param keys what they write
    public record Stage(List<String> keys, Supplier<List<Commit>> commits) {

        public Stage {
            keys = List.copyOf(keys);
        }
    }

    /// Commits the writes. Where the store applies them one by one and there is a conflict after the
    /// first, a part of the page is written; the caller has to read what became of it, as after a lost
    /// answer.
    public static Commit save(Datastore store, List<Write> writes) {
        return save(store, writes, _ -> {});
    }

    /// Commits the writes, and reports those that were done if only a part of them was.
    public static Commit save(Datastore store, List<Write> writes, Consumer<Written> stoppedAfter) {
        return save(store, writes, stoppedAfter, Recording.none());
    }

    /// Commits the writes with what the ledger records of them, if they are committed as a whole.
    public static Commit save(
            Datastore store, List<Write> writes, Consumer<Written> stoppedAfter, Recording recording) {
        return saveInStages(store, writes.stream().map(List::of).toList(), stoppedAfter, recording);
    }

    /// The same for writes in stages. Those of one stage do not depend on each other, and are under way at once where
    /// the store applies writes one by one.
    public static Commit saveInStages(
            Datastore store, List<List<Write>> stages, Consumer<Written> stoppedAfter, Recording recording) {
        var writes = stages.stream().flatMap(List::stream).toList();
        if (writes.isEmpty()) {
            return new Commit.Done(List.of());
        }
        if (store.atomic()) {
            return recording.commit(store, writes);
        }
        var done = new ArrayList<Write>();
        var revisions = new ArrayList<Long>();
        return saveInStages(
                stages.stream()
                        .map(stage -> new Stage(
                                stage.stream().map(Write::key).toList(), () -> commit(store, stage, done, revisions)))
                        .toList(),
                stop -> stoppedAfter.accept(new Written(done, Collections.max(revisions), stop.rest())));
    }

    private static List<Commit> commit(Datastore store, List<Write> stage, List<Write> done, List<Long> revisions) {
        var commits = stage.size() == 1 ? List.of(store.commit(stage)) : store.commitEach(stage);
        for (int index = 0; index < stage.size(); index++) {
            if (commits.get(index) instanceof Commit.Done(var further)) {
                done.add(stage.get(index));
                revisions.addAll(further);
            }
        }
        return commits;
    }

    /// Commits one stage after another, each when all writes of the former are done.
    ///
    /// Once a write is done, whatever keeps another one from being done leaves the page half written: any part of
    /// its stage may be done, and nothing of a later one.
    public static Commit saveInStages(List<Stage> stages, Consumer<Stop> stopped) {
        var keys = stages.stream().flatMap(stage -> stage.keys().stream()).toList();
        var revisions = new ArrayList<Long>();
        int begun = 0;
        for (var stage : stages) {
            List<Commit> commits;
            try {
                commits = stage.commits().get();
            } catch (DatastoreException failure) {
                if (revisions.isEmpty()) {
                    throw failure;
                }
                stopped.accept(new Stop(PartialCommit.Rest.NOT_WRITTEN, Optional.empty()));
                return partial(revisions.size(), keys.size(), "failed: " + failure.getMessage());
            }
            of(Commit.Done.class, commits).forEach(done -> revisions.addAll(done.revisions()));
            var unknown = of(Commit.Unknown.class, commits).findFirst();
            if (unknown.isPresent()) {
                if (!revisions.isEmpty()) {
                    stopped.accept(new Stop(PartialCommit.Rest.UNKNOWN, Optional.empty()));
                }
                return unknown.get();
            }
            var conflict = of(Commit.Conflict.class, commits).findFirst();
            if (conflict.isPresent()) {
                var met = new Commit.Conflict(
                        begun + commits.indexOf(conflict.get()), conflict.get().kind());
                if (revisions.isEmpty()) {
                    return met;
                }
                stopped.accept(new Stop(PartialCommit.Rest.NOT_WRITTEN, Optional.of(met)));
                return partial(
                        revisions.size(), keys.size(), "met %s at %s".formatted(met.kind(), keys.get(met.index())));
            }
            begun += commits.size();
        }
        return new Commit.Done(revisions);
    }

    private static <T extends Commit> Stream<T> of(Class<T> kind, List<Commit> commits) {
        return commits.stream().filter(kind::isInstance).map(kind::cast);
    }

    /// What a save answers that stopped after a part of its writes.
    public static Commit.Unknown partial(int done, int writes, String reason) {
        return new Commit.Unknown("%d of %d writes were done, then one %s".formatted(done, writes, reason));
    }
}
