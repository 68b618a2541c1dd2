package io.cadastre.cni.doorbell;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniAnswer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The client in Java.
class JavaDoorbellTest extends DoorbellContract {

    private Doorbell doorbell = new Doorbell(DoorbellSettings.of(Path.of(""), Path.of("")));

    /// By the file, which has to come back as it was.
    @Override
    void install(DoorbellSettings settings) throws IOException {
        Files.writeString(folder.resolve(DoorbellSettings.FILE), settings.text());
        var read = DoorbellSettings.in(folder);
        assertThat(read).isEqualTo(settings);
        doorbell = new Doorbell(read);
    }

    @Override
    CniAnswer ring(String name, Map<String, String> environment, byte[] stdin) {
        return doorbell.ring(name, environment, new ByteArrayInputStream(stdin));
    }

    @Test
    void whatTheFileDoesNotSayIsTheDefault() throws IOException {
        var empty = Files.createDirectory(folder.resolve("empty"));

        var settings = DoorbellSettings.in(empty);

        assertThat(settings).isEqualTo(DoorbellSettings.of(DoorbellSettings.SOCKET, DoorbellSettings.SPOOL));
    }

    @Test
    void versionReadsNoInput() throws IOException {
        var socket = folder.resolve("b.sock");
        install(DoorbellSettings.of(socket, folder));
        try (var _ = BellServer.answering(socket, call -> new CniAnswer(call.stdin(), call.stdin(), 3))) {
            var closed = InputStream.nullInputStream();
            closed.close();

            var answer = doorbell.ring("x", Map.of("CNI_COMMAND", "VERSION"), closed);

            assertThat(answer).isEqualTo(new CniAnswer(Bytes.ofUtf8(""), Bytes.ofUtf8(""), 3));
        }
    }

    @Test
    void theStubStartsTheClientAndFindsTheFileBesideTheRealOne() throws Exception {
        var socket = folder.resolve("b.sock");
        install(DoorbellSettings.of(socket, folder));
        var classPath = Arrays.stream(System.getProperty("java.class.path").split(":"))
                .map(Path::of)
                .toList();
        var java = Path.of(System.getProperty("java.home"), "bin", "java");
        var stub = folder.resolve("cadastre-ipam");
        Files.write(stub, DoorbellProgram.stub(java, classPath).toByteArray());
        assertThat(stub.toFile().setExecutable(true)).isTrue();
        var links = Files.createDirectory(folder.resolve("it's elsewhere"));
        var link = Files.createSymbolicLink(links.resolve("calico-ipam"), stub);
        try (var _ = BellServer.answering(
                socket, call -> new CniAnswer(Bytes.ofUtf8(call.plugin()), Bytes.ofUtf8("err"), 5))) {

            var answer = PluginProcess.run(List.of(link.toString()), Map.of("CNI_COMMAND", "ADD"), new byte[0]);

            assertThat(answer).isEqualTo(new CniAnswer(Bytes.ofUtf8("calico-ipam"), Bytes.ofUtf8("err"), 5));
        }
    }
}
