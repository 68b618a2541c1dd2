package io.cadastre.wire.calico.crd;

import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Owner;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/// The names of Calico's objects, and the mark by which a host's affinities are found.
final class ObjectNames {

    /// Names are shorter than this.
    private static final int NAME_LIMIT = 253;

    private static final int DIGEST_CHARACTERS = 11;

    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final int BASE32_BITS = 5;

    private static final Pattern WELL_FORMED =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private ObjectNames() {}

    /// Whether the API server lets an object have the name.
    static boolean isName(String text) {
        return text.length() <= NAME_LIMIT && WELL_FORMED.matcher(text).matches();
    }

    /// `10.244.174.128/26` is `10-244-174-128-26`.
    static String block(Prefix cidr) {
        return cidr.toString().replaceAll("[./:]", "-");
    }

    /// The host and the block. A name that would be too long is cut and distinguished by a digest.
    static String affinity(Owner owner, Prefix cidr) {
        var host = owner.name();
        var block = block(cidr);
        var name = host + "-" + block;
        if (name.length() < NAME_LIMIT) {
            return name;
        }
        var digest =
                HexFormat.of().formatHex(digest("SHA-256", host + "+" + block)).substring(0, DIGEST_CHARACTERS);
        int room = NAME_LIMIT - 1 - block.length() - DIGEST_CHARACTERS - 2;
        return "%s-%s-%s".formatted(host.substring(0, room), block, digest);
    }

    static String handle(String id) {
        return id.toLowerCase(Locale.ROOT);
    }

    /// A host's name in letters that a label may have.
    static String hostHash(String host) {
        var digest = digest("SHA3-256", host);
        var text = new StringBuilder();
        int buffer = 0;
        int bits = 0;
        for (byte part : digest) {
            buffer = buffer << Byte.SIZE | Byte.toUnsignedInt(part);
            bits += Byte.SIZE;
            while (bits >= BASE32_BITS) {
                bits -= BASE32_BITS;
                text.append(letter(buffer >> bits));
            }
        }
        if (bits > 0) {
            text.append(letter(buffer << (BASE32_BITS - bits)));
        }
        return text.toString();
    }

    private static char letter(int number) {
        return BASE32.charAt(number & (BASE32.length() - 1));
    }

    private static byte[] digest(String algorithm, String text) {
        try {
            return MessageDigest.getInstance(algorithm).digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has " + algorithm, impossible);
        }
    }
}
