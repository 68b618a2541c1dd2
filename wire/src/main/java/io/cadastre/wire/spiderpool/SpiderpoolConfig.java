package io.cadastre.wire.spiderpool;

import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.Members;
import io.cadastre.wire.cni.NetworkConfig;
import io.cadastre.wire.json.Json;
import java.util.List;

/// The `ipam` part of a network's configuration for Spiderpool's plugin.
///
/// @param ipv4Pools names of pools, best first
/// @param ipv6Pools names of pools, best first
/// @param socket where the agent listens, empty if it is not configured
/// @param writtenLogLevel see [#logLevel()]
public record SpiderpoolConfig(
        List<String> ipv4Pools,
        List<String> ipv6Pools,
        boolean cleanGateway,
        boolean matchMasterSubnet,
        String socket,
        String writtenLogLevel,
        LogFile logFile) {

    private static final LogLevel LOG_LEVEL = LogLevel.DEBUG;

    /// The file that Spiderpool's plugin writes its log into. Cadastre's plugin logs through its agent, so
    /// the settings are checked and not followed.
    public record LogFile(String path, int megabytesMax, int daysMax, int filesMax) {

        private static final String PATH = "/var/log/spidernet/spiderpool.log";

        private static LogFile read(Members ipam) {
            var path = ipam.text("log_file_path");
            return new LogFile(
                    path.isEmpty() ? PATH : path,
                    number(ipam, "log_file_max_size", 100),
                    number(ipam, "log_file_max_age", 30),
                    number(ipam, "log_file_max_count", 10));
        }
    }

    public SpiderpoolConfig {
        ipv4Pools = List.copyOf(ipv4Pools);
        ipv6Pools = List.copyOf(ipv6Pools);
    }

    /// Reads the configuration of the network.
    ///
    /// @throws CniException if a member has another type than it should
    public static SpiderpoolConfig read(NetworkConfig config) {
        try {
            return read(config.ipam().orElseGet(() -> Members.of(Json.emptyObject())));
        } catch (CniException unreadable) {
            var error = unreadable.error();
            throw new CniException(
                    CniError.of(
                            CniCode.INTERNAL,
                            "failed to load CNI network configuration: failed to parse CNI network"
                                    + " configuration: "
                                    + error.msg(),
                            error.details()),
                    unreadable);
        }
    }

    private static SpiderpoolConfig read(Members ipam) {
        return new SpiderpoolConfig(
                ipam.texts("default_ipv4_ippool"),
                ipam.texts("default_ipv6_ippool"),
                ipam.flag("clean_gateway"),
                ipam.flag("match_master_subnet"),
                ipam.text("ipam_unix_socket_path"),
                ipam.text("log_level"),
                LogFile.read(ipam));
    }

    /// Spiderpool's plugin wants a number where its manual shows text. Both are taken; zero and the
    /// empty text are as good as nothing.
    private static int number(Members ipam, String name, int otherwise) {
        int number = ipam.find(name)
                .filter(value -> value.isTextual())
                .map(value -> parse(value.textValue(), name))
                .orElseGet(() -> ipam.integer(name).orElse(0));
        return number == 0 ? otherwise : number;
    }

    private static int parse(String text, String name) {
        try {
            return text.isEmpty() ? 0 : Integer.parseInt(text);
        } catch (NumberFormatException none) {
            throw new CniException(
                    CniError.of(CniCode.INTERNAL, "ipam.%s: '%s' is not a whole number".formatted(name, text)), none);
        }
    }

    /// Read apart from the rest, since a fault in it is reported after others.
    ///
    /// @throws CniException if there is no such level
    public LogLevel logLevel() {
        return writtenLogLevel.isEmpty() ? LOG_LEVEL : LogLevel.parse(writtenLogLevel);
    }
}
