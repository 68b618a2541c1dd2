package io.cadastre.wire.spiderpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.NetworkConfig;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpiderpoolConfigTest {

    @Test
    void everythingIsReadAsItIsWritten() {
        var config = ipam("""
            {"type":"spiderpool","ipam_unix_socket_path":"/run/s.sock","default_ipv4_ippool":["a","b"],
             "default_ipv6_ippool":["c"],"clean_gateway":true,"match_master_subnet":true,"log_level":"Warn",
             "log_file_path":"/tmp/s.log","log_file_max_size":7,"log_file_max_age":8,"log_file_max_count":9}
            """);

        var read = SpiderpoolConfig.read(config);

        assertThat(read)
                .isEqualTo(new SpiderpoolConfig(
                        List.of("a", "b"),
                        List.of("c"),
                        true,
                        true,
                        "/run/s.sock",
                        "Warn",
                        new SpiderpoolConfig.LogFile("/tmp/s.log", 7, 8, 9)));
        assertThat(read.logLevel()).isEqualTo(LogLevel.WARN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"cniVersion\":\"1.0.0\",\"name\":\"blue\"}",
                "{\"cniVersion\":\"1.0.0\",\"name\":\"blue\",\"ipam\":{}}",
                "{\"cniVersion\":\"1.0.0\",\"name\":\"blue\",\"ipam\":{\"log_file_max_size\":\"\",\"log_level\":null}}"
            })
    void missingOptionsHaveTheDefaultsOfSpiderpoolsPlugin(String document) {
        var read = SpiderpoolConfig.read(NetworkConfig.read(Bytes.ofUtf8(document)));

        assertThat(read)
                .isEqualTo(new SpiderpoolConfig(
                        List.of(),
                        List.of(),
                        false,
                        false,
                        "",
                        "",
                        new SpiderpoolConfig.LogFile("/var/log/spidernet/spiderpool.log", 100, 30, 10)));
        assertThat(read.logLevel()).isEqualTo(LogLevel.DEBUG);
    }

    @Test
    void limitsOfTheLogMayBeTextAsTheManualShowsThem() {
        var config = ipam("""
            {"log_file_max_size":"100","log_file_max_age":"31","log_file_max_count":"7"}
            """);

        var file = SpiderpoolConfig.read(config).logFile();

        assertThat(List.of(file.megabytesMax(), file.daysMax(), file.filesMax()))
                .containsExactly(100, 31, 7);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"log_file_max_size\":\"much\"}| ipam.log_file_max_size: 'much' is not a whole number",
                "{\"log_file_max_age\":1.5}| json: cannot unmarshal number 1.5 into Go struct field"
                        + " .ipam.log_file_max_age of type int",
                "{\"clean_gateway\":\"true\"}| json: cannot unmarshal string into Go struct field"
                        + " .ipam.clean_gateway of type bool",
                "{\"default_ipv4_ippool\":\"a\"}| json: cannot unmarshal string into Go struct"
                        + " field .ipam.default_ipv4_ippool of type list",
                "{\"ipam_unix_socket_path\":7}| json: cannot unmarshal number into Go struct field"
                        + " .ipam.ipam_unix_socket_path of type string",
            })
    void wrongTypesAreReportedAfterTheWordsOfSpiderpool(String written, String fault) {
        var config = ipam(written);

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> SpiderpoolConfig.read(config))
                .satisfies(failure -> {
                    assertThat(failure.error().code()).isEqualTo(CniCode.INTERNAL.number());
                    assertThat(failure.error().msg())
                            .isEqualTo("failed to load CNI network configuration: failed to"
                                    + " parse CNI network configuration: "
                                    + fault);
                });
    }

    @ParameterizedTest
    @CsvSource({"debug, DEBUG", "INFO, INFO", "wArN, WARN", "Error, ERROR", "fatal, FATAL", "panic, PANIC"})
    void logLevelsAreReadInAnyLetterCase(String written, LogLevel level) {
        var config = ipam("{\"log_level\":\"%s\"}".formatted(written));

        assertThat(SpiderpoolConfig.read(config).logLevel()).isEqualTo(level);
    }

    @ParameterizedTest
    @ValueSource(strings = {"loud", "warning", " info"})
    void a06UnknownLogLevelIsRefused(String written) {
        var read = SpiderpoolConfig.read(ipam("{\"log_level\":\"%s\"}".formatted(written)));

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(read::logLevel)
                .withMessage("failed to setup file logging: unsupported log level %s", written);
    }

    @Test
    void podIsReadFromTheArgumentsOfTheRuntime() {
        var pod = PodIdentity.ofArguments("IgnoreUnknown=1;K8S_POD_NAMESPACE=shop;K8S_POD_NAME=cart-0;"
                + "K8S_POD_INFRA_CONTAINER_ID=c9;K8S_POD_UID=6d0e;IP=10.0.0.7;OTHER=1");

        assertThat(pod).isEqualTo(new PodIdentity("shop", "cart-0", "6d0e"));
    }

    @Test
    void podOfARuntimeThatSaysNothingIsEmpty() {
        assertThat(PodIdentity.ofArguments("")).isEqualTo(new PodIdentity("", "", ""));
    }

    @Test
    void podIsReadFromArgumentsOfWhichOthersAreUnreadable() {
        assertThat(PodIdentity.readable("IP=10.1.2.6/24;X;K8S_POD_NAME=web;K8S_POD_UID=u=1"))
                .isEqualTo(new PodIdentity("", "web", ""));
    }

    @Test
    void unknownArgumentsAreRefused() {
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> PodIdentity.ofArguments("K8S_POD_NAME=a;X=1"))
                .withMessage("ARGS: unknown args [\"X=1\"]");
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23})
    void spoiltConfigurationsAreReadOrRefused(long seed) {
        var chance = new Random(seed);
        var written = """
            {"cniVersion":"1.0.0","name":"blue","ipam":{"default_ipv4_ippool":["a"],"clean_gateway":true,"log_level":"info",\
            "log_file_max_size":"7","log_file_max_age":8,"ipam_unix_socket_path":"/s","match_master_subnet":false}}\
            """;
        var pieces = List.of("null", "[", "{}", "\"", "-1", "1e9", "99999999999", ",", "7");
        for (int round = 0; round < 3_000; round++) {
            var spoilt = new StringBuilder(written);
            for (int change = chance.nextInt(3); change >= 0; change--) {
                int from = chance.nextInt(spoilt.length());
                int to = Math.min(spoilt.length(), from + chance.nextInt(8));
                spoilt.replace(from, to, pieces.get(chance.nextInt(pieces.size())));
            }
            var args = spoilt.substring(0, chance.nextInt(spoilt.length())).replace(',', ';');
            attempt(() -> SpiderpoolConfig.read(NetworkConfig.read(Bytes.ofUtf8(spoilt.toString())))
                    .logLevel());
            attempt(() -> PodIdentity.ofArguments(args.replace(':', '=')));
        }
    }

    private static void attempt(Supplier<Object> reading) {
        try {
            assertThat(reading.get()).isNotNull();
        } catch (CniException refused) {
            assertThat(refused.error().msg()).isNotEmpty();
        }
    }

    private static NetworkConfig ipam(String ipam) {
        return NetworkConfig.read(
                Bytes.ofUtf8("{\"cniVersion\":\"1.0.0\",\"name\":\"blue\",\"ipam\":%s}".formatted(ipam)));
    }
}
