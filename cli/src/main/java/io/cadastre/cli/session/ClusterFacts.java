package io.cadastre.cli.session;

import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.datastore.Datastore;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.ClusterInformationDocument;

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
        return store.get(key.text())
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
}
