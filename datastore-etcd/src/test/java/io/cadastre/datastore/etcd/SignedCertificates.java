package io.cadastre.datastore.etcd;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// An authority, a server it signed, a client it signed, and a stranger without a signature: made by the
/// JDK's own keytool, written as PEM files.
final class SignedCertificates {

    private static final String PASSWORD = "for-tests-only";

    private final Path directory;
    private final Path store;

    private SignedCertificates(Path directory) {
        this.directory = directory;
        this.store = directory.resolve("keys.p12");
    }

    static SignedCertificates make(Path directory) throws IOException, GeneralSecurityException {
        var certificates = new SignedCertificates(directory);
        certificates.generate("ca", "-ext", "bc:critical=ca:true");
        certificates.generate("server", "-signer", "ca", "-ext", "san=ip:127.0.0.1,dns:localhost");
        certificates.generate("client", "-signer", "ca", "-ext", "eku=clientAuth");
        certificates.generate("stranger", "-ext", "bc:critical=ca:true");
        certificates.export();
        return certificates;
    }

    Path file(String name) {
        return directory.resolve(name);
    }

    private void generate(String name, String... more) throws IOException {
        var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        var words = new ArrayList<>(List.of(keytool, "-genkeypair", "-alias", name));
        words.addAll(List.of("-dname", "CN=" + name, "-keyalg", "EC", "-validity", "30"));
        words.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
        words.addAll(List.of(more));
        var process = new ProcessBuilder(words).redirectErrorStream(true).start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new AssertionError(output);
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private void export() throws IOException, GeneralSecurityException {
        var keys = KeyStore.getInstance("PKCS12");
        try (InputStream input = Files.newInputStream(store)) {
            keys.load(input, PASSWORD.toCharArray());
        }
        for (var name : List.of("ca", "server", "client", "stranger")) {
            var chain = new StringBuilder();
            for (var certificate : keys.getCertificateChain(name)) {
                chain.append(pem("CERTIFICATE", certificate.getEncoded()));
            }
            Files.writeString(file(name + ".crt"), chain);
            var key = keys.getKey(name, PASSWORD.toCharArray());
            Files.writeString(file(name + ".key"), pem("PRIVATE KEY", key.getEncoded()));
        }
    }

    private static String pem(String label, byte[] der) {
        var text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, text, label);
    }
}
