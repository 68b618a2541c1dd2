package io.cadastre.datastore.etcd;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;

/// Reads a private key from PEM text.
///
/// Java reads the PKCS #8 form. The tools that make certificates for etcd write the older forms as
/// well (PKCS #1 for RSA, SEC 1 for elliptic curves); these are the inner part of a PKCS #8
/// document, so they are put into that envelope.
final class PemKey {

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ((?:[A-Z]+ )*PRIVATE KEY)-----(.+?)-----END \\1-----", Pattern.DOTALL);

    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final int OBJECT_ID = 0x06;
    private static final int SEC1_PARAMETERS = 0xa0;

    private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};

    /// 1.2.840.113549.1.1.1 (rsaEncryption), and no parameters.
    private static final byte[] RSA = {
        0x06, 0x09, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00
    };

    /// 1.2.840.10045.2.1 (ecPublicKey); the curve follows.
    private static final byte[] EC = {0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01};

    private static final String[] ALGORITHMS = {"RSA", "EC", "EdDSA"};

    private PemKey() {}

    static PrivateKey read(String pem) throws GeneralSecurityException {
        var block = BLOCK.matcher(pem);
        if (!block.find()) {
            throw new InvalidKeyException("it holds no PEM private key");
        }
        if (block.group(2).contains("ENCRYPTED") || block.group(1).startsWith("ENCRYPTED")) {
            throw new InvalidKeyException("its private key is encrypted; decrypt it first");
        }
        byte[] der;
        try {
            der = Base64.getMimeDecoder().decode(block.group(2));
        } catch (IllegalArgumentException notBase64) {
            throw new InvalidKeyException("its private key is not Base64", notBase64);
        }
        return switch (block.group(1)) {
            case "PRIVATE KEY" -> anyAlgorithm(der);
            case "RSA PRIVATE KEY" -> decode("RSA", envelope(RSA, der));
            case "EC PRIVATE KEY" -> decode("EC", envelope(concatenate(EC, curve(der)), der));
            default -> throw new InvalidKeyException("%s is not supported".formatted(block.group(1)));
        };
    }

    private static PrivateKey anyAlgorithm(byte[] pkcs8) throws GeneralSecurityException {
        for (var algorithm : ALGORITHMS) {
            try {
                return decode(algorithm, pkcs8);
            } catch (GeneralSecurityException another) {
                // Not of this algorithm; the last resort below says so.
            }
        }
        throw new InvalidKeyException("its private key is not of RSA, EC or EdDSA");
    }

    private static PrivateKey decode(String algorithm, byte[] pkcs8) throws GeneralSecurityException {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    }

    private static byte[] envelope(byte[] algorithm, byte[] key) {
        return element(SEQUENCE, concatenate(VERSION_0, element(SEQUENCE, algorithm), element(OCTETS, key)));
    }

    /// The object identifier of the curve in a SEC 1 key: version, octets, then `[0]` holding it.
    private static byte[] curve(byte[] sec1) throws InvalidKeyException {
        var fields = new Der(sec1).enter(SEQUENCE);
        fields.pass();
        fields.pass();
        return fields.enter(SEC1_PARAMETERS).whole(OBJECT_ID);
    }

    private static byte[] element(int tag, byte[] content) {
        var element = new ByteArrayOutputStream();
        element.write(tag);
        int length = content.length;
        if (length < 0x80) {
            element.write(length);
        } else if (length < 0x100) {
            element.write(0x81);
            element.write(length);
        } else {
            element.write(0x82);
            element.write(length >> 8);
            element.write(length);
        }
        element.writeBytes(content);
        return element.toByteArray();
    }

    private static byte[] concatenate(byte[]... parts) {
        var whole = new ByteArrayOutputStream();
        for (var part : parts) {
            whole.writeBytes(part);
        }
        return whole.toByteArray();
    }

    /// A place in a DER document. Lengths of up to two bytes, which is more than any key has.
    private static final class Der {

        private final byte[] bytes;
        private int position;

        Der(byte[] bytes) {
            this.bytes = bytes;
        }

        Der enter(int tag) throws InvalidKeyException {
            int start = position;
            int length = header(tag);
            byte[] content = slice(position, length);
            position = start;
            pass();
            return new Der(content);
        }

        byte[] whole(int tag) throws InvalidKeyException {
            int start = position;
            int length = header(tag);
            return slice(start, position - start + length);
        }

        void pass() throws InvalidKeyException {
            int length = header(at(position));
            slice(position, length);
            position += length;
        }

        private int header(int tag) throws InvalidKeyException {
            if (at(position) != tag) {
                throw malformed();
            }
            int first = at(position + 1);
            position += 2;
            if (first < 0x80) {
                return first;
            }
            int count = first & 0x7f;
            if (count == 0 || count > 2) {
                throw malformed();
            }
            int length = 0;
            for (int index = 0; index < count; index++) {
                length = (length << 8) | at(position++);
            }
            return length;
        }

        private byte[] slice(int start, int length) throws InvalidKeyException {
            if (length > bytes.length - start) {
                throw malformed();
            }
            return Arrays.copyOfRange(bytes, start, start + length);
        }

        private int at(int index) throws InvalidKeyException {
            if (index >= bytes.length) {
                throw malformed();
            }
            return bytes[index] & 0xff;
        }

        private static InvalidKeyException malformed() {
            return new InvalidKeyException("its private key is malformed");
        }
    }
}
