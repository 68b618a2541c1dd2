package io.cadastre.controller.collection;

import io.cadastre.datastore.Datastore;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoNodeDocument;
import io.cadastre.wire.calico.UnparsableEntryException;
import io.cadastre.wire.kubernetes.NodeBook;
import java.util.HashMap;
import java.util.Map;

/// Looks into the store whether nodes are gone, once for each.
final class Confirmation {

    private final Datastore store;
    private final Map<String, Boolean> answers = new HashMap<>();

    Confirmation(Datastore store) {
        this.store = store;
    }

    /// Whether the node with this Calico name is gone. A node that cannot be read is not gone, nor is one
    /// whose name is invalid.
    boolean gone(String name) {
        return name.indexOf('/') < 0 && answers.computeIfAbsent(name, this::look);
    }

    private boolean look(String name) {
        var key = new CalicoKey.OfNode(name);
        var stored = store.get(key.text());
        if (stored.isEmpty()) {
            return true;
        }
        try {
            return CalicoDocument.decode(key, stored.get().value()) instanceof CalicoNodeDocument document
                    && !document.node().kubernetesName().isEmpty()
                    && store.get(NodeBook.NODES + document.node().kubernetesName())
                            .isEmpty();
        } catch (UnparsableEntryException _) {
            return false;
        }
    }
}
