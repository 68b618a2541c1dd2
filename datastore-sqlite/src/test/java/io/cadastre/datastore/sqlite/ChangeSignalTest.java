package io.cadastre.datastore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Write;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The file is empty, so that polling it tells nothing that the tests have not told.
class ChangeSignalTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final StoreState standing = new StoreState();

    @SuppressWarnings("NullAway.Init")
    private ChangeSignal signal;

    @SuppressWarnings("NullAway.Init")
    private ChangeSignal.Bell bell;

    @BeforeEach
    void heedAnUnknownChange() {
        signal = new ChangeSignal(DatabaseFile.prepare(settings()), standing);
        bell = signal.openBell("a/");
        signal.committed(0, 1, List.of());
        bell.heed(bell.look());
    }

    @AfterEach
    void endPolling() {
        standing.close();
        signal.close();
    }

    @Test
    void commitElsewhereIsPassedOver() {
        signal.committed(1, 2, List.of(creation("ab")));

        assertThat(bell.look()).isEqualTo(new ChangeSignal.Look(bell.look().rings(), true, 2));
    }

    @Test
    void commitUnderThePrefixRings() {
        signal.committed(1, 3, List.of(creation("ab"), creation("a/1")));

        assertThat(bell.look().quiet()).isFalse();
        assertThat(bell.look().quietThrough()).isEqualTo(1);
    }

    @Test
    void commitAfterOneOfAnotherProcessRingsForThat() {
        signal.committed(2, 3, List.of(creation("ab")));

        assertThat(bell.look().quiet()).isFalse();
        assertThat(bell.look().quietThrough()).isEqualTo(1);
    }

    @Test
    void ringIsNotForgottenWhileTheLogIsRead() {
        signal.committed(1, 2, List.of(creation("a/1")));
        var look = bell.look();
        signal.committed(2, 3, List.of(creation("a/2")));

        bell.heed(look);

        assertThat(bell.look().quiet()).isFalse();
    }

    @Test
    void whatPassesWhileTheLogIsReadIsPassedOver() {
        signal.committed(1, 2, List.of(creation("a/1")));
        var look = bell.look();
        signal.committed(2, 3, List.of(creation("ab")));

        bell.heed(look);

        assertThat(bell.look().quiet()).isTrue();
        assertThat(bell.look().quietThrough()).isEqualTo(3);
    }

    private static QueuedCommit creation(String key) {
        return new QueuedCommit(List.of(new Write.Create(key, Bytes.ofUtf8("1"))));
    }

    private SqliteSettings settings() {
        return SqliteSettings.of(directory.resolve("store.db"));
    }
}
