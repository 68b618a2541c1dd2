package io.cadastre.datastore.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.kubernetes.SeenObjects.Seen;
import io.cadastre.datastore.resource.ObjectName;
import org.junit.jupiter.api.Test;

class SeenObjectsTest {

    private final SeenObjects seen = new SeenObjects();

    @Test
    void objectIsFoundOnlyAtTheRevisionItWasSeenAt() {
        seen.remember(name(1), object(7, 10));

        assertThat(seen.findAt(name(1), 7)).contains(object(7, 10));
        assertThat(seen.findAt(name(1), 8)).isEmpty();
        assertThat(seen.findAt(name(2), 7)).isEmpty();
    }

    @Test
    void olderSightDoesNotReplaceANewerOne() {
        seen.remember(name(1), object(8, 10));

        seen.remember(name(1), object(7, 10));

        assertThat(seen.findAt(name(1), 8)).isPresent();
    }

    @Test
    void forgottenObjectIsNotFound() {
        seen.remember(name(1), object(7, 10));

        seen.forget(name(1));

        assertThat(seen.findAt(name(1), 7)).isEmpty();
    }

    @Test
    void oneThatWasNotUsedForLongestMakesRoomWhenThereAreTooMany() {
        for (int index = 0; index < SeenObjects.OBJECTS_MAX; index++) {
            seen.remember(name(index), object(7, 10));
        }
        seen.findAt(name(0), 7);

        seen.remember(name(-1), object(7, 10));

        assertThat(seen.findAt(name(0), 7)).isPresent();
        assertThat(seen.findAt(name(1), 7)).isEmpty();
        assertThat(seen.findAt(name(2), 7)).isPresent();
    }

    @Test
    void oneThatWasNotUsedForLongestMakesRoomWhenTheyAreTooLarge() {
        int half = (int) SeenObjects.BYTES_MAX / 2;
        seen.remember(name(1), object(7, half));
        seen.remember(name(2), object(7, half));

        seen.remember(name(3), object(7, 1));

        assertThat(seen.findAt(name(1), 7)).isEmpty();
        assertThat(seen.findAt(name(2), 7)).isPresent();
        assertThat(seen.findAt(name(3), 7)).isPresent();
    }

    private static ObjectName name(int number) {
        return new ObjectName(DocumentsMap.DOCUMENTS, "n", "object-" + number);
    }

    private static Seen object(long revision, int size) {
        return new Seen(Bytes.of(new byte[size]), revision);
    }
}
