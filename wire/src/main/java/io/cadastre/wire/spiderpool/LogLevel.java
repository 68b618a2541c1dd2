package io.cadastre.wire.spiderpool;

import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import java.util.Arrays;

/// How much Spiderpool's plugin writes into its log.
public enum LogLevel {
    DEBUG,
    INFO,
    WARN,
    ERROR,
    FATAL,
    PANIC;

    /// Reads it in any letter case.
    ///
    /// @throws CniException if there is no such level
    static LogLevel parse(String text) {
        return Arrays.stream(values())
                .filter(level -> level.name().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new CniException(
                        CniCode.INTERNAL, "failed to setup file logging: unsupported log level " + text));
    }
}
