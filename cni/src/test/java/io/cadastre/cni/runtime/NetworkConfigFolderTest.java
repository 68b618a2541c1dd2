package io.cadastre.cni.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkConfigFolderTest {

    @TempDir
    Path folder;

    private RuntimeFixture bench;

    @BeforeEach
    void setUp() {
        bench = new RuntimeFixture(folder);
    }

    private NetworkConfigFolder networks() {
        return new NetworkConfigFolder(bench.networks());
    }

    @Test
    void r01ListWinsOverASinglePluginWhichIsUsedAfterIt() {
        var list = bench.network("10-a.conflist", "{\"name\":\"a\",\"plugins\":[{\"type\":\"x\"}]}");
        bench.network("05-a.conf", "{\"cniVersion\":\"0.3.1\",\"name\":\"a\",\"type\":\"y\"}");

        var first = networks().load("a");
        RuntimeFixture.delete(list);
        var second = networks().load("a");

        assertThat(first.plugins()).extracting(PluginEntry::type).containsExactly("x");
        assertThat(second.plugins()).extracting(PluginEntry::type).containsExactly("y");
        assertThat(second.raw())
                .hasToString(
                        "{\"cniVersion\":\"0.3.1\",\"name\":\"a\",\"plugins\":[{\"cniVersion\":\"0.3.1\",\"name\":\"a\",\"type\":\"y\"}]}");
    }

    @Test
    void r02FolderThatDoesNotExistHasNoConfigurations() {
        var missing = new NetworkConfigFolder(folder.resolve("none"));

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> missing.load("a"))
                .withMessage("no net configurations found in " + folder.resolve("none"));
    }

    @Test
    void r03UnreadableFileEndsTheSearchOnlyIfItComesFirst() {
        bench.network("10-a.conflist", "{\"name\":\"a\",\"plugins\":[{\"type\":\"x\"}]}");
        var bad = bench.network("00-bad.conflist", "{");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> networks().load("a"))
                .withMessage("error parsing configuration list: unexpected end of JSON input");

        RuntimeFixture.delete(bad);
        bench.network("99-bad.conflist", "{");

        assertThat(networks().load("a").name()).isEqualTo("a");
    }

    @Test
    void r04SubfoldersAreNotSearched() {
        bench.network("deep/10-a.conflist", "{\"name\":\"a\",\"plugins\":[{\"type\":\"x\"}]}");
        bench.network("x.conflist/readme", "a folder");
        bench.network("10-b.conflist", "{\"name\":\"b\",\"plugins\":[{\"type\":\"x\"}]}");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> networks().load("a"))
                .withMessage("no net configuration with name \"a\" in " + bench.networks());
    }

    @Test
    void linkToAFileIsFollowed() throws IOException {
        var target = folder.resolve("elsewhere");
        RuntimeFixture.write(target, "{\"name\":\"a\",\"plugins\":[{\"type\":\"x\"}]}");
        Files.createSymbolicLink(bench.networks().resolve("10-a.conflist"), target);

        assertThat(networks().load("a").name()).isEqualTo("a");
    }

    @Test
    void endingIsTheLastOneAndExact() {
        bench.network("a.conflist.bak", "{");
        bench.network("a.CONFLIST", "{");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> networks().load("a"))
                .withMessageStartingWith("no net configurations found in ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        R05 | "cniVersions":["99.0.0","1.1.0","0.4.0"]                      | 1.1.0
        R06 | "cniVersion":"1.0.0","cniVersions":["0.1.0","0.4.0"]          | 1.0.0
            | "cniVersion":"0.3.1","cniVersions":["0.4.0"]                  | 0.4.0
            | "cniVersion":"9.0.0","cniVersions":["8.0.0"]                  | 9.0.0
            | "cniVersion":"9.0.0","cniVersions":["0.4.0"]                  | 0.4.0
            | "cniVersion":"1.2.3"                                          | 1.2.3
            | "cniVersion":"1.0.0","cniVersions":[]                         | 1.0.0
        """)
    void r05r06HighestVersionThatIsAllowedAndKnownIsChosen(String id, String versions, String chosen) {
        var list = NetworkList.parse(document(versions + ",\"plugins\":[{\"type\":\"x\"}]"));

        assertThat(list.cniVersion()).as(id).isEqualTo(chosen);
    }

    @Test
    void r07InvalidVersionIsRefused() {
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(
                        () -> NetworkList.parse(document("\"cniVersions\":[\"1.0.f\"],\"plugins\":[{\"type\":\"x\"}]")))
                .withMessageStartingWith("error parsing configuration list: invalid cniVersions entry 1.0.f at index"
                        + " 0: failed to convert micro version part \"f\": ");
    }

    @Test
    void r08PluginsMayHaveFilesOfTheirOwn() {
        var file = bench.network("10-a.conflist", "{\"name\":\"a\"}");
        bench.network("a/x.conf", "{\"type\":\"x\"}");

        var list = NetworkConfigFolder.loadList(file);

        assertThat(list.plugins()).extracting(PluginEntry::type).containsExactly("x");
    }

    @Test
    void r09FilesOfPluginsComeAfterThoseInsideUnlessOnlyTheseAreWanted() {
        var inside = "\"plugins\":[{\"type\":\"in\"}]";
        bench.network("a/2.conf", "{\"type\":\"second\"}");
        bench.network("a/1.conf", "{\"type\":\"first\"}");
        var all = bench.network("10-a.conflist", "{\"name\":\"a\",%s}".formatted(inside));
        var only =
                bench.network("20-a.conflist", "{\"name\":\"a\",\"loadOnlyInlinedPlugins\":true,%s}".formatted(inside));

        assertThat(NetworkConfigFolder.loadList(all).plugins())
                .extracting(PluginEntry::type)
                .containsExactly("in", "first", "second");
        assertThat(NetworkConfigFolder.loadList(only).plugins())
                .extracting(PluginEntry::type)
                .containsExactly("in");
    }

    @Test
    void r10NetworkWithoutPluginsIsRefused() {
        var file = bench.network("10-a.conflist", "{\"name\":\"a\"}");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> NetworkConfigFolder.loadList(file))
                .withMessage("no plugin configs found");
    }

    @Test
    void invalidNameLeadsToNoFolder() {
        bench.network("x.conf", "{\"type\":\"x\"}");
        var file = bench.network("sub/10-a.conflist", "{\"name\":\"..\"}");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> NetworkConfigFolder.loadList(file))
                .withMessage("no plugin configs found");
    }

    /// A dash stands for a back quote, which quotes the columns.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        null                                                                        | error parsing configuration list: no name
        {}                                                                          | error parsing configuration list: no name
        {"Name":"a","plugins":[{"type":"x"}]}                                       | error parsing configuration list: no name
        []                                                                          | error parsing configuration list: json: cannot unmarshal array into Go value of type map[string]interface {}
        {"name":5}                                                                  | error parsing configuration list: invalid name type float64
        {"name":null}                                                               | error parsing configuration list: invalid name type <nil>
        {"name":"a","cniVersion":{}}                                                | error parsing configuration list: invalid cniVersion type map[string]interface {}
        {"name":"a","cniVersions":"1.0.0"}                                          | error parsing configuration list: invalid type for cniVersions: []interface {}
        {"name":"a","cniVersions":["1.0.0",true]}                                   | error parsing configuration list: invalid type for cniVersions index 1: bool
        {"name":"a","cniVersion":"x","cniVersions":["1.0.0"]}                       | error parsing configuration list: invalid cniVersion x: failed to convert major version part "x": invalid syntax
        {"name":"a","disableCheck":"maybe"}                                         | error parsing configuration list: invalid value "maybe" for disableCheck
        {"name":"a","disableGC":[]}                                                 | error parsing configuration list: invalid type []interface {} for disableGC
        {"name":"a","loadOnlyInlinedPlugins":"TRUE"}                                | error parsing configuration list: –loadOnlyInlinedPlugins– is true, and no 'plugins' key
        {"name":"a","plugins":{}}                                                   | error parsing configuration list: invalid 'plugins' type map[string]interface {}
        {"name":"a","plugins":null}                                                 | error parsing configuration list: invalid 'plugins' type <nil>
        {"name":"a","plugins":[]}                                                   | error parsing configuration list: no plugins in list
        {"name":"a","plugins":[{"type":"x"},{}]}                                    | failed to parse plugin config 1: error parsing configuration: missing 'type'
        {"name":"a","plugins":[{"type":5}]}                                         | failed to parse plugin config 0: error parsing configuration: json: cannot unmarshal number into Go struct field .type of type string
        {"name":"a","plugins":["x"]}                                                | failed to parse plugin config 0: error parsing configuration: json: cannot unmarshal string into Go value of type object
        {"name":"a"}                                                                | no plugin configs found
        """)
    void invalidListIsRefused(String document, String message) {
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> NetworkList.parse(Bytes.ofUtf8(document)))
                .withMessage(message.replace('–', '`'));
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "\"true\"", "\"TRUE\"", "\"True\""})
    void switchesAreBooleansOrWords(String yes) {
        var list = NetworkList.parse(
                document("\"disableCheck\":%s,\"disableGC\":\"false\",\"plugins\":[{\"type\":\"x\"}]".formatted(yes)));

        assertThat(list.disableCheck()).isTrue();
        assertThat(list.disableGc()).isFalse();
    }

    @Test
    void singlePluginNeedsAType() {
        bench.network("10-a.conf", "{\"name\":\"a\"}");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> networks().load("a"))
                .withMessage("error parsing configuration: missing 'type'");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void spoiltListsAreReadOrRefused(long seed) {
        var list =
                "{\"cniVersion\":\"1.0.0\",\"cniVersions\":[\"0.4.0\"],\"name\":\"a\",\"disableGC\":true,\"plugins\":[{\"type\":\"x\",\"capabilities\":{\"mac\":true}}]}";
        var pieces = List.of("null", "1", "[", "]", "{", "}", "\"", ",", ":", "{}", "[]", "true", "x");
        var chance = new Random(seed);
        for (int round = 0; round < 3_000; round++) {
            var spoilt = new StringBuilder(list);
            for (int change = chance.nextInt(4); change >= 0; change--) {
                int from = chance.nextInt(spoilt.length());
                int to = Math.min(spoilt.length(), from + chance.nextInt(10));
                spoilt.replace(from, to, pieces.get(chance.nextInt(pieces.size())));
            }
            var document = Bytes.ofUtf8(spoilt.toString());

            assertThatCode(() -> readOrRefuse(document))
                    .as("seed %d, round %d: %s", seed, round, document)
                    .doesNotThrowAnyException();
        }
    }

    private static void readOrRefuse(Bytes document) {
        try {
            NetworkList.parse(document).plugins().forEach(PluginEntry::enabledCapabilities);
        } catch (CniException refused) {
            assertThat(refused.error().msg()).isNotEmpty();
        }
    }

    private static Bytes document(String members) {
        return Bytes.ofUtf8("{\"name\":\"a\",%s}".formatted(members));
    }
}
