package io.cadastre.wire.cni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.cadastre.datastore.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever is read, there is a value or a [CniException], and never anything else.
class UnexpectedInputTest {

    private static final int ROUNDS = 3_000;

    private static final List<String> SEEDS = List.of("""
        {"cniVersion":"1.1.0","name":"blue","type":"x","ipam":{"type":"host-local","subnet":"10.1.2.0/24",\
        "ranges":[[{"subnet":"10.1.2.0/24","rangeStart":"10.1.2.9","gateway":"10.1.2.1"}]],"routes":[{"dst":"0.0.0.0/0","gw":"10.1.2.1",\
        "mtu":1400,"table":0}],"assign_ipv4":"true","ipv4_pools":["p"],"dataDir":"/d"},"args":{"cni":{"ips":["10.1.2.3"]}},\
        "runtimeConfig":{"ips":["10.1.2.4/24"],"ipRanges":[[{"subnet":"10.1.2.0/24"}]]},"dns":{"nameservers":["1.1.1.1"]},\
        "prevResult":{"cniVersion":"1.0.0","ips":[{"address":"10.1.2.3/24"}]},\
        "cni.dev/valid-attachments":[{"containerID":"c1","ifname":"eth0"}]}\
        """, """
        {"cniVersion":"0.4.0","interfaces":[{"name":"eth0","mac":"a","sandbox":"s"}],"ips":[{"version":"4","interface":0,\
        "address":"10.9.0.7/24","gateway":"10.9.0.1"}],"routes":[{"dst":"::/0","priority":100,"scope":0}],"dns":{"search":["x"]}}\
        """, """
        {"cniVersion":"0.2.0","ip4":{"ip":"10.9.0.7/24","gateway":"10.9.0.1","routes":[{"dst":"0.0.0.0/0"}]},"ip6":null}\
        """, """
        {"code":7,"msg":"x","details":"y","cniVersion":"1.0.0","supportedVersions":["0.4.0"]}\
        """);

    private static final List<String> PIECES = List.of(
            "null",
            "true",
            "{}",
            "[]",
            "[[[",
            "}",
            "]",
            ",",
            ":",
            "\"",
            "\\u0000",
            "\\ud800",
            "1e999999999",
            "-0",
            "99999999999999999999",
            "0.1",
            "\"\"",
            "\"/\"",
            "::",
            "=",
            ";",
            "1.",
            "\u2028",
            "\ufeff",
            "\"name\":",
            "\"ipam\":[],",
            "\"ips\":");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void spoiltDocumentsAreReadOrRefused(long seed) {
        var chance = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            var document = spoilt(SEEDS.get(chance.nextInt(SEEDS.size())), chance);
            var args = spoilt("IgnoreUnknown=1;IP=10.1.2.3;K8S_POD_NAME=web-0", chance)
                    .utf8();

            assertThatCode(() -> readAsEverything(document, args))
                    .as("seed %d, round %d: %s with %s", seed, round, document, args)
                    .doesNotThrowAnyException();
        }
    }

    private static void readAsEverything(Bytes document, String args) {
        attempt(() -> CniError.parse(document));
        attempt(() -> PluginVersions.parse(document));
        attempt(() -> CniVersion.parse(args));
        attempt(() -> {
            var result = CniResult.parse(document);
            CniVersion.KNOWN.forEach(version -> attempt(() -> result.print(version)));
        });
        attempt(() -> {
            var config = NetworkConfig.read(document);
            attempt(config::cniVersion);
            attempt(config::type);
            attempt(config::dns);
            attempt(config::prevResult);
            attempt(config::validAttachments);
            attempt(() -> HostLocalConfig.read(config, args));
            attempt(() -> HostLocalConfig.dataDir(config));
            attempt(() -> CalicoIpamConfig.read(config, args));
        });
    }

    private static void attempt(Runnable reading) {
        try {
            reading.run();
        } catch (CniException refused) {
            assertThat(refused.error().msg()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {5, 6})
    void everyCallHasAnAnswerThatIsOneDocument(long seed) {
        var chance = new Random(seed);
        var verbs = List.of("ADD", "DEL", "CHECK", "GC", "STATUS", "VERSION", "NOPE", "");
        for (int round = 0; round < ROUNDS; round++) {
            var trial = PluginCall.of(verbs.get(chance.nextInt(verbs.size())))
                    .with("CNI_CONTAINERID", spoilt("c1", chance).utf8())
                    .with("CNI_IFNAME", spoilt("eth0", chance).utf8())
                    .stdin(StdinSource.of(spoilt(SEEDS.getFirst(), chance)));

            var answer = trial.run();

            assertThat(answer.exitCode()).as("seed %d, round %d", seed, round).isIn(0, 1);
            if (answer.exitCode() == 1) {
                assertThat(CniError.parse(answer.stdout()).code()).isPositive();
            } else if (answer.stdout().size() > 0) {
                assertThat(CniJson.kind(CniJson.read(answer.stdout()))).isEqualTo("object");
            }
        }
    }

    @Test
    void deepestDocumentThatIsReadIsAlsoWritten() {
        var nested = "[".repeat(CniJson.DEPTH_MAX) + "]".repeat(CniJson.DEPTH_MAX);

        var written = CniJson.compact(CniJson.read(Bytes.ofUtf8(nested)));

        assertThat(written).isEqualTo(nested);
    }

    /// Changes some of the bytes: takes away, doubles, replaces, inserts.
    private static Bytes spoilt(String text, RandomGenerator chance) {
        var spoilt = new StringBuilder(text);
        int changes = chance.nextInt(4);
        for (int change = 0; change < changes; change++) {
            int from = chance.nextInt(spoilt.length() + 1);
            int to = Math.min(spoilt.length(), from + chance.nextInt(12));
            switch (chance.nextInt(5)) {
                case 0 -> spoilt.delete(from, to);
                case 1 -> spoilt.insert(from, spoilt.substring(from, to));
                case 2 -> spoilt.replace(from, to, PIECES.get(chance.nextInt(PIECES.size())));
                case 3 -> spoilt.insert(from, PIECES.get(chance.nextInt(PIECES.size())));
                default -> spoilt.insert(from, (char) chance.nextInt(0x10000));
            }
        }
        var bytes = spoilt.toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0 && chance.nextInt(4) == 0) {
            bytes[chance.nextInt(bytes.length)] = (byte) chance.nextInt(256);
        }
        return Bytes.of(bytes);
    }
}
