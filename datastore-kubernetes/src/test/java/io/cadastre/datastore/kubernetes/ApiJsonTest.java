package io.cadastre.datastore.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.kubernetes.ApiJson.Event;
import io.cadastre.datastore.kubernetes.ApiJson.Item;
import io.cadastre.datastore.kubernetes.ApiJson.Metadata;
import io.cadastre.datastore.kubernetes.ApiJson.Page;
import io.cadastre.datastore.kubernetes.ApiJson.Status;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiJsonTest {

    @Test
    void objectsAreCutOutOfAListAsTheyStand() {
        var one = "{ \"metadata\":{\"name\":\"é\",\"resourceVersion\":\"7\"}, \"n\":123456789012345678901234567890.10}";
        var other = "{\"text\":\"]}\\\"{[\",\"metadata\":{\"resourceVersion\":\"9\",\"uid\":\"u\"}}";

        var page = ApiJson.page(Bytes.ofUtf8("""
            {"kind":"List","items":[%s , %s],"extra":[{"items":[1]}],
            "metadata":{"resourceVersion":"42","continue":"next","remainingItemCount":7}}
            """.formatted(one, other)));

        assertThat(page)
                .isEqualTo(new Page(
                        42,
                        "next",
                        List.of(
                                new Item(new Metadata("", "é", "", 7), Bytes.ofUtf8(one)),
                                new Item(new Metadata("", "", "u", 9), Bytes.ofUtf8(other)))));
    }

    @Test
    void listWithoutItemsIsEmpty() {
        var page = ApiJson.page(Bytes.ofUtf8("{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":null}"));

        assertThat(page).isEqualTo(new Page(1, "", List.of()));
    }

    @Test
    void eventHasTheObjectAsItStands() {
        var object = "{\"a\":[{}], \"b\" : 1772360430000000007}";

        var event = ApiJson.event(Bytes.ofUtf8("{\"type\":\"ADDED\",\"object\":%s}".formatted(object))
                .toByteArray());

        assertThat(event).isEqualTo(new Event("ADDED", Bytes.ofUtf8(object)));
    }

    @Test
    void metadataIsThatOfTheObjectAndNotOfItsParts() {
        var metadata = ApiJson.metadata(Bytes.ofUtf8("""
            {"spec":{"metadata":{"name":"inner","resourceVersion":"1"}},
            "metadata":{"ownerReferences":[{"name":"owner","uid":"no"}],
            "namespace":"n","name":"a","uid":"u","resourceVersion":"9007199254740993"}}
            """));

        assertThat(metadata).isEqualTo(new Metadata("n", "a", "u", 9007199254740993L));
    }

    @Test
    void statusTellsReasonAndName() {
        var status = ApiJson.status(409, Bytes.ofUtf8("""
            {"kind":"Status","message":"it is there","reason":"AlreadyExists",
            "details":{"name":"a","causes":[{"reason":"x"}]},"code":409}
            """));

        assertThat(status).isEqualTo(new Status(409, "AlreadyExists", "it is there", "a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "404 page not found", "[1]", "{\"kind\":", "{\"kind\":\"Pod\"}"})
    void answerThatIsNotAStatusHasNoReason(String body) {
        var status = ApiJson.status(404, Bytes.ofUtf8(body));

        assertThat(status.code()).isEqualTo(404);
        assertThat(status.reason()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "[]", "{\"metadata\":{}}", "{\"metadata\":{\"resourceVersion\":\"abc\"}}", "{\"metadata\":"})
    void invalidObjectIsCorrupt(String body) {
        assertThatThrownBy(() -> ApiJson.metadata(Bytes.ofUtf8(body)))
                .isInstanceOf(DatastoreException.class)
                .extracting(thrown -> ((DatastoreException) thrown).kind())
                .isEqualTo(DatastoreException.Kind.CORRUPT);
    }
}
