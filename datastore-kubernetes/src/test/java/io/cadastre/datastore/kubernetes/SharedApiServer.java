package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.ScratchFolder;
import java.io.IOException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// One API server for all tests of a class, and for each of them a namespace in which nothing is.
final class SharedApiServer implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {

    private final String[] flags;
    private Optional<ScratchFolder> folder = Optional.empty();
    private Optional<KubeApiServer> server = Optional.empty();
    private Optional<DocumentsMap> map = Optional.empty();

    /// @param flags for this server, beside those of every server
    SharedApiServer(String... flags) {
        this.flags = flags.clone();
    }

    KubeApiServer server() {
        return server.orElseThrow();
    }

    /// Where the documents of the present test are.
    DocumentsMap map() {
        return map.orElseThrow();
    }

    KubernetesDatastore open(Duration callLimit) {
        return server().open(map(), callLimit);
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException, NoSuchAlgorithmException {
        var created = ScratchFolder.create();
        folder = Optional.of(created);
        server = Optional.of(KubeApiServer.start(created.path(), flags));
        freshNamespace();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        freshNamespace();
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        server.ifPresent(KubeApiServer::close);
        if (folder.isPresent()) {
            folder.get().close();
        }
    }

    private void freshNamespace() {
        map = Optional.of(DocumentsMap.in(server().freshNamespace()));
    }
}
