package io.cadastre.cli.run;

import io.cadastre.cli.command.UsageException;
import java.net.InetSocketAddress;

/// An address to listen on, as options name it.
final class ListenAddress {

    private static final int PORT_MAX = 65_535;

    private ListenAddress() {}

    /// Host and port; all local addresses if there is no host.
    ///
    /// @throws UsageException if it is something else
    static InetSocketAddress parse(String option, String text) {
        int colon = text.lastIndexOf(':');
        int port = colon < 0 ? -1 : port(text.substring(colon + 1));
        if (port < 0) {
            throw new UsageException(
                    "%s '%s' is not an address and port; write it as 127.0.0.1:9094".formatted(option, text));
        }
        var host = text.substring(0, colon).replaceAll("^\\[(.*)\\]$", "$1");
        var address = host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new UsageException("%s: unknown host '%s'".formatted(option, host));
        }
        return address;
    }

    /// The number; less than zero if it is not a number.
    private static int port(String text) {
        boolean digits = !text.isEmpty() && text.length() <= 5 && text.chars().allMatch(Character::isDigit);
        int port = digits ? Integer.parseInt(text) : -1;
        return port <= PORT_MAX ? port : -1;
    }
}
