package io.cadastre.wire.cni;

import io.cadastre.address.Address;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What `CNI_ARGS` says: `K=V;K2=V2`, of which a plugin knows some keys.
public record CniArguments(Map<String, String> values) {

    private static final Key IGNORE_UNKNOWN = new Key("IgnoreUnknown", Kind.FLAG);

    private static final CniArguments NONE = new CniArguments(Map.of());

    public CniArguments {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /// A key that a plugin knows. Letter case counts.
    public record Key(String name, Kind kind) {}

    /// What the value of a key must be.
    public enum Kind {
        TEXT,
        FLAG,
        /// Nothing, or an address without a length.
        ADDRESS,
        /// Nothing, or an address with or without a length, which does not count.
        ADDRESS_OR_CIDR
    }

    /// Reads the pairs. Those that are not known are passed over if `IgnoreUnknown` is true, wherever
    /// it stands, and are an error if not.
    ///
    /// @throws CniException if the text has another form
    public static CniArguments parse(String text, List<Key> known) {
        return text.isEmpty() ? NONE : parsePairs(text, known);
    }

    /// All pairs that have the form of one, of whatever key and value: for what describes a call and
    /// decides nothing.
    public static CniArguments readable(String text) {
        var values = new TreeMap<String, String>();
        for (var piece : text.split(";", -1)) {
            var pair = piece.split("=", -1);
            if (pair.length == 2) {
                values.put(pair[0], pair[1]);
            }
        }
        return new CniArguments(values);
    }

    private static CniArguments parsePairs(String text, List<Key> known) {
        var values = new TreeMap<String, String>();
        var unknown = new ArrayList<String>();
        for (var piece : text.split(";", -1)) {
            var pair = piece.split("=", -1);
            if (pair.length != 2) {
                throw new CniException(CniCode.INTERNAL, "ARGS: invalid pair " + GoText.quote(piece));
            }
            var key = find(pair[0], known);
            if (key.isEmpty()) {
                unknown.add(piece);
            } else {
                check(piece, pair[1], key.get().kind());
                values.put(pair[0], pair[1]);
            }
        }
        if (!unknown.isEmpty() && !isTrue(values.getOrDefault(IGNORE_UNKNOWN.name(), "0"))) {
            throw new CniException(CniCode.INTERNAL, "ARGS: unknown args " + GoText.quotedList(unknown));
        }
        return new CniArguments(values);
    }

    private static Optional<Key> find(String name, List<Key> known) {
        return name.equals(IGNORE_UNKNOWN.name())
                ? Optional.of(IGNORE_UNKNOWN)
                : known.stream().filter(key -> key.name().equals(name)).findFirst();
    }

    private static void check(String piece, String value, Kind kind) {
        try {
            switch (kind) {
                case TEXT -> {}
                case FLAG -> isTrue(value);
                case ADDRESS -> {
                    if (!value.isEmpty()) {
                        InterfaceAddress.parseAddress(value);
                    }
                }
                case ADDRESS_OR_CIDR -> {
                    if (!value.isEmpty()) {
                        parseAddressOrCidr(value);
                    }
                }
            }
        } catch (CniException unreadable) {
            throw unreadable.as(
                    CniCode.INTERNAL, "ARGS: error parsing value of pair %s: ".formatted(GoText.quote(piece)));
        }
    }

    private static boolean isTrue(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "1", "true" -> true;
            case "0", "false" -> false;
            default -> throw new CniException(CniCode.INTERNAL, "boolean unmarshal error: invalid input " + value);
        };
    }

    static Address parseAddressOrCidr(String text) {
        return InterfaceAddress.findAddress(text)
                .or(() -> InterfaceAddress.find(text).map(InterfaceAddress::ip))
                .orElseThrow(() -> new CniException(CniCode.INTERNAL, "invalid IP address " + text));
    }

    /// The value of a key, empty if it is not given.
    public String text(String key) {
        return values.getOrDefault(key, "");
    }

    /// The value of a key that is known to be an address, if one is given.
    public Optional<Address> address(String key) {
        return Optional.of(text(key)).filter(text -> !text.isEmpty()).map(CniArguments::parseAddressOrCidr);
    }
}
