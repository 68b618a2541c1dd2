package io.cadastre.wire.kubernetes;

import java.util.Optional;
import java.util.regex.Pattern;

/// The names that Kubernetes allows for a node: DNS subdomains as of RFC 1123.
public final class NodeName {

    private static final int CHARACTERS_MAX = 253;

    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*+");

    private NodeName() {}

    /// Why this is not a node's name, as a sentence without a full stop; empty if it is one.
    public static Optional<String> fault(String text) {
        if (text.length() > CHARACTERS_MAX) {
            return Optional.of("a node name of %d characters is too long: it has at most %d"
                    .formatted(text.length(), CHARACTERS_MAX));
        }
        if (!SUBDOMAIN.matcher(text).matches()) {
            return Optional.of(
                    "'%s' is not a node name: it consists of lower case letters, digits, '-' and '.', and begins and ends, as each part between dots does, with a letter or digit"
                            .formatted(text));
        }
        return Optional.empty();
    }

    /// The text if it is a node's name.
    ///
    /// @throws IllegalArgumentException if it is not
    public static String check(String text) {
        fault(text).ifPresent(fault -> {
            throw new IllegalArgumentException(fault);
        });
        return text;
    }
}
