package io.cadastre.wire.pages;

import java.time.Duration;

/// Bounds of all HTTP servers of this process. The JDK takes them from system properties alone, when it makes the first
/// server. What the command line of the process sets counts instead.
public final class HttpLimits {

    /// A request must have arrived within this time, and its answer be taken within as much.
    private static final Duration EXCHANGE = Duration.ofSeconds(15);

    private static final int CONNECTIONS_MAX = 128;
    private static final int HEADERS_MAX = 100;
    private static final int HEADERS_BYTES_MAX = 32 * 1024;

    private HttpLimits() {}

    /// Called before the first server is made.
    public static void set() {
        set("sun.net.httpserver.maxReqTime", EXCHANGE.toSeconds());
        set("sun.net.httpserver.maxRspTime", EXCHANGE.toSeconds());
        set("sun.net.httpserver.maxReqHeaders", HEADERS_MAX);
        set("sun.net.httpserver.maxReqHeaderSize", HEADERS_BYTES_MAX);
        set("jdk.httpserver.maxConnections", CONNECTIONS_MAX);
    }

    private static void set(String property, long value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Long.toString(value));
        }
    }
}
