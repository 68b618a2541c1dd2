package io.cadastre.datastore;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// What became of writes that are applied independently of each other, of which some may have failed.
public final class IndependentWrites {

    private IndependentWrites() {}

    /// Commits each write, and goes on after one that failed.
    ///
    /// @throws RuntimeException the first failure, if none of the writes had an effect or may have had one
    public static List<Commit> commits(List<Write> writes, Function<Write, Commit> commit) {
        var commits = new ArrayList<Commit>();
        var firstFailure = Optional.<RuntimeException>empty();
        boolean effective = false;
        for (var write : writes) {
            try {
                var ended = commit.apply(write);
                effective |= !(ended instanceof Commit.Conflict);
                commits.add(ended);
            } catch (RuntimeException failure) {
                firstFailure = Optional.of(firstFailure.orElse(failure));
                commits.add(new Commit.Unknown("writing %s failed: %s".formatted(write.key(), failure.getMessage())));
            }
        }
        if (firstFailure.isPresent() && !effective) {
            throw firstFailure.get();
        }
        return commits;
    }
}
