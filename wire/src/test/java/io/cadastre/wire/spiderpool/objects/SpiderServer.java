package io.cadastre.wire.spiderpool.objects;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.KubernetesDatastore;
import io.cadastre.datastore.kubernetes.ObjectPatch;
import io.cadastre.datastore.kubernetes.ObjectPatch.Merge;
import io.cadastre.datastore.resource.ApiResource.Rewriting;
import io.cadastre.wire.kubernetes.CoreObjects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Random;

/// A real API server with the kinds of Spiderpool that are deployed.
record SpiderServer(KubeApiServer server) implements AutoCloseable {

    private static final Path DEFINITIONS = Path.of("../deploy/crds/spiderpool.spidernet.io-v2beta1.yaml");

    static SpiderServer start(Path folder) throws IOException, NoSuchAlgorithmException {
        var server = KubeApiServer.start(folder);
        try (var definitions = Files.newInputStream(DEFINITIONS)) {
            var collections = List.of("spiderippools", "spidersubnets", "spiderreservedips", "spiderendpoints");
            server.install(
                    definitions,
                    collections.stream()
                            .map(plural -> "/apis/spiderpool.spidernet.io/v2beta1/" + plural)
                            .toList());
        }
        return new SpiderServer(server);
    }

    KubernetesDatastore open() {
        return KubernetesDatastore.open(server.settings(), new CoreObjects(), new Random(1));
    }

    /// A store after all objects of Spiderpool were deleted.
    KubernetesDatastore openEmpty() {
        var store = open();
        for (var keys : List.of(SpiderKeys.ENDPOINTS, SpiderKeys.POOLS, SpiderKeys.RESERVED)) {
            for (var document : store.listAll(keys).documents()) {
                store.patch(new ObjectPatch(
                        document.key(),
                        Merge.JSON,
                        Rewriting.WHOLE,
                        Bytes.ofUtf8("{\"metadata\":{\"finalizers\":null}}")));
                var rest = store.get(document.key());
                if (rest.isPresent()
                        && !(store.commit(List.of(new Write.Delete(
                                        document.key(), rest.get().revision())))
                                instanceof Commit.Done)) {
                    throw new AssertionError(document.key());
                }
            }
        }
        return store;
    }

    @Override
    public void close() {
        server.close();
    }
}
