package io.cadastre.cni.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.cni.runtime.AttachmentRequest.Argument;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniIp;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.InterfaceAddress;
import io.cadastre.wire.cni.Members;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResultCacheTest {

    private static final NetworkList BLUE = NetworkList.parse(
            Bytes.ofUtf8("{\"cniVersion\":\"1.0.0\",\"name\":\"blue\",\"plugins\":[{\"type\":\"pa\"}]}"));

    private static final AttachmentRequest ETH0 = AttachmentRequest.of("c1", "", "eth0");

    private static final CniResult RESULT =
            CniResult.empty("1.0.0").withIps(List.of(CniIp.of(InterfaceAddress.parse("10.9.0.7/24"))));

    @TempDir
    Path folder;

    private ResultCache cache;
    private Path results;
    private Path file;

    @BeforeEach
    void setUp() {
        cache = new ResultCache(folder.resolve("deep/cni"));
        results = folder.resolve("deep/cni/results");
        file = results.resolve("blue-c1-eth0");
    }

    @Test
    void emptyFieldsAreLeftOut() {
        cache.store(BLUE, ETH0, RESULT);

        assertThat(RuntimeFixture.read(file))
                .isEqualTo(
                        "{\"kind\":\"cniCacheV1\",\"containerId\":\"c1\",\"config\":\"eyJjbmlWZXJzaW9uIjoiMS4wLjAiLCJuYW1lIjoiYmx1ZSIsInBsdWdpbnMiOlt7InR5cGUiOiJwYSJ9XX0=\",\"ifName\":\"eth0\",\"networkName\":\"blue\",\"result\":{\"cniVersion\":\"1.0.0\",\"ips\":[{\"address\":\"10.9.0.7/24\"}]}}");
    }

    @Test
    void onlyTheOwnerMayLookAndNothingElseIsLeft() throws IOException {
        cache.store(BLUE, ETH0, RESULT);
        cache.store(BLUE, ETH0, RESULT);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(results)))
                .isEqualTo("rwx------");
        assertThat(RuntimeFixture.entries(folder.resolve("deep/cni"))).containsExactly(results);
        assertThat(RuntimeFixture.entries(results)).containsExactly(file);
    }

    @Test
    void storedResultIsFound() {
        cache.store(BLUE, ETH0, RESULT);

        assertThat(cache.findResult(BLUE, ETH0)).contains(RESULT);
        assertThat(cache.findResult(BLUE, AttachmentRequest.of("c2", "", "eth0")))
                .isEmpty();
    }

    @Test
    void removedResultIsNotFound() {
        cache.store(BLUE, ETH0, RESULT);

        cache.remove(BLUE, ETH0);
        cache.remove(BLUE, ETH0);

        assertThat(cache.findResult(BLUE, ETH0)).isEmpty();
        assertThat(cache.findConfig("blue", ETH0)).isEmpty();
    }

    /// An empty result, and not none: so the reference code has it.
    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"kind\":\"cniCacheV1\",\"containerId\":\"c1\"}"})
    void fileWithoutAResultIsAnEmptyResult(String content) {
        write(content);

        assertThat(cache.findResult(BLUE, ETH0)).contains(CniResult.empty("1.0.0"));
    }

    @Test
    void namesOfMembersMatchInAnyLetterCase() {
        write(
                "{\"KIND\":\"cniCacheV1\",\"containerID\":\"c1\",\"IfName\":\"eth0\",\"networkname\":\"blue\",\"Result\":{\"cniVersion\":\"1.0.0\",\"ips\":[{\"address\":\"10.9.0.7/24\"}]}}");

        assertThat(cache.findResult(BLUE, ETH0)).contains(RESULT);
        assertThat(cache.attachments()).hasSize(1);
    }

    @Test
    void resultThatHasNoFormInTheVersionOfTheNetworkIsRefused() {
        var old = NetworkList.parse(
                Bytes.ofUtf8("{\"cniVersion\":\"0.2.0\",\"name\":\"blue\",\"plugins\":[{\"type\":\"pa\"}]}"));
        write("{\"cniVersion\":\"1.0.0\"}");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> cache.findResult(old, ETH0))
                .withMessage("failed to convert cached result to config version \"0.2.0\": cannot"
                        + " convert: no valid IP addresses");
    }

    @Test
    void argumentsOfTheFileReplaceThoseOfTheCaller() {
        var told = ETH0.withArgs(List.of(new Argument("A", "1"))).withCapabilityArgs(members("{\"mac\":\"m\"}"));
        var caller = ETH0.withArgs(List.of(new Argument("B", "2"))).withCapabilityArgs(members("{\"ips\":[]}"));
        cache.store(BLUE, told, RESULT);

        assertThat(cache.findConfig("blue", caller)).contains(new CachedAttachment("blue", BLUE.raw(), told));
    }

    @Test
    void callerKeepsItsArgumentsIfTheFileHasNone() {
        var caller = ETH0.withArgs(List.of(new Argument("B", "2"))).withCapabilityArgs(members("{\"ips\":[]}"));
        cache.store(BLUE, ETH0, RESULT);

        assertThat(cache.findConfig("blue", caller)).hasValueSatisfying(cached -> {
            assertThat(cached.request().args()).containsExactly(new Argument("B", "2"));
            assertThat(cached.request().capabilityArgs()).hasToString("{}");
        });
    }

    @Test
    void configurationIsNotTakenFromAnythingElse() {
        write("adfad");
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> cache.findConfig("blue", ETH0))
                .withMessageStartingWith("failed to unmarshal cached network \"blue\" config: ");

        write("{\"kind\":\"other\"}");
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> cache.findConfig("blue", ETH0))
                .withMessage("read cached network \"blue\" config has wrong kind: other");
    }

    @Test
    void attachmentsAreSortedAndOtherFilesArePassedOver() {
        for (var id : List.of("c2", "c1", "c3")) {
            cache.store(BLUE, AttachmentRequest.of(id, "/n/" + id, "eth0"), RESULT);
        }
        RuntimeFixture.write(results.resolve("broken"), "{");
        RuntimeFixture.write(results.resolve("foreign"), "{\"cniVersion\":\"0.4.0\"}");
        RuntimeFixture.write(results.resolve("half"), "{\"kind\":\"cniCacheV1\",\"containerId\":\"c9\"}");
        RuntimeFixture.write(
                results.resolve("odd"),
                "{\"kind\":\"cniCacheV1\",\"containerId\":\"c9\",\"ifName\":\"e\",\"networkName\":\"n\",\"cniArgs\":[[1]]}");
        RuntimeFixture.make(results.resolve("folder"));

        assertThat(cache.attachments())
                .extracting(cached -> cached.request().netns())
                .containsExactly("/n/c1", "/n/c2", "/n/c3");
    }

    @Test
    void cacheThatWasNeverWrittenIsEmpty() {
        assertThat(cache.attachments()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "../c1", "a/b"})
    void nameThatCouldLeadElsewhereIsRefused(String containerId) {
        var request = AttachmentRequest.of(containerId, "", "eth0");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> cache.store(BLUE, request, RESULT))
                .withMessageStartingWith("cache file path requires network name (\"blue\"), ");
    }

    private void write(String content) {
        RuntimeFixture.make(results);
        RuntimeFixture.write(file, content);
    }

    private static Members members(String document) {
        return Members.parse(Bytes.ofUtf8(document));
    }
}
