package io.cadastre.wire.calico;

import io.cadastre.address.Family;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.engine.block.Owner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// The labels by which the affinities of a host are found in Kubernetes.
///
/// Old releases of Calico wrote affinities without labels, and their host does not find those until they
/// are written again. In other stores nothing has labels, and nothing is hidden.
public final class AffinityLabels {

    private static final int ATTEMPTS_MAX = 5;

    private AffinityLabels() {}

    /// Labels the affinities of a host that have no labels, and returns how many there were.
    ///
    /// @throws DatastoreException if other writers got in the way again and again
    public static int complete(Datastore store, String host) {
        int labelled = 0;
        for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
            var hidden = hidden(store, Owner.host(host));
            if (hidden.isEmpty()) {
                return labelled;
            }
            for (var affinity : hidden) {
                // Whatever is written gets its labels.
                var write = new Write.Update(affinity.key(), affinity.value(), affinity.revision());
                if (store.commit(List.of(write)) instanceof Commit.Done) {
                    labelled++;
                }
            }
        }
        throw new DatastoreException(
                DatastoreException.Kind.FAILED,
                "affinities of %s still have no labels after %d attempts".formatted(host, ATTEMPTS_MAX));
    }

    /// What is found among all affinities but not among those of the host.
    private static List<Document> hidden(Datastore store, Owner host) {
        var found = new HashSet<String>();
        for (var family : Family.values()) {
            store.listAll(CalicoKeys.affinities(host, family))
                    .documents()
                    .forEach(document -> found.add(document.key()));
        }
        var hidden = new ArrayList<Document>();
        for (var document : store.listAll(CalicoKeys.HOSTS).documents()) {
            if (document.key().startsWith(CalicoKeys.affinities(host)) && !found.contains(document.key())) {
                hidden.add(document);
            }
        }
        return hidden;
    }
}
