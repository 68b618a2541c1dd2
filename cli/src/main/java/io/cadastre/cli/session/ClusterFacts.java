package io.cadastre.cli.session;

import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.ClusterInformationDocument;
import java.util.Optional;

/// The facts by which reports of clusters differ. All empty if nothing is known.
public record ClusterFacts(String guid, String type, String calicoVersion, boolean locked, String revision) {

    /// Refuses a command that changes holders while the store is locked.
    public static void requireUnlocked(Datastore store) {
        if (fetch(store).locked()) {
            throw new CommandRefusedException(
                    "the datastore is locked: ClusterInformation default has datastoreReady: false");
        }
    }

    public static ClusterFacts fetch(Datastore store) {
        var key = new CalicoKey.OfClusterInformation();
        return find(store, key)
                .map(stored -> {
                    var document = CalicoDocument.decode(key, stored.value());
                    if (!(document instanceof ClusterInformationDocument information)) {
                        throw new IllegalStateException(document + " is something else");
                    }
                    var spec = information.json().path("spec");
                    return new ClusterFacts(
                            spec.path("clusterGUID").asText(""),
                            spec.path("clusterType").asText(""),
                            information.calicoVersion(),
                            !information.ready(),
                            Long.toString(stored.revision()));
                })
                .orElseGet(() -> new ClusterFacts("", "", "", false, ""));
    }

    /// A cluster without Calico lacks the kind.
    private static Optional<Document> find(Datastore store, CalicoKey key) {
        try {
            return store.get(key.text());
        } catch (DatastoreException failed) {
            if (failed.kind() == DatastoreException.Kind.NOT_INSTALLED) {
                return Optional.empty();
            }
            throw failed;
        }
    }
}
