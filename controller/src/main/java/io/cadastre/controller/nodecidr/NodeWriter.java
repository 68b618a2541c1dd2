package io.cadastre.controller.nodecidr;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Write;
import java.util.Optional;
import java.util.function.Supplier;

/// Changes Nodes of a Kubernetes API, where the server merges and arbitrates: the CIDRs of a Node can be set once.
public interface NodeWriter {

    /// Merges the changes into the Node, by a strategic merge patch without a revision.
    ///
    /// @param beforeSending runs before each sending, after all waiting for it; what it throws is thrown, and the
    ///     patch is not sent. Five seconds after it ran, the server has done the patch or never will
    /// @throws DatastoreException if the server certainly did not do it; of kind DEADLINE if it was never sent, as
    ///     its turn did not come within the time of a call
    Commit patch(String node, Bytes changes, Runnable beforeSending);

    /// Merges the changes into the status of the Node.
    ///
    /// @param beforeSending as for [#patch(String, Bytes, Runnable)]
    /// @throws DatastoreException as for [#patch(String, Bytes, Runnable)]
    Commit patchStatus(String node, Bytes changes, Runnable beforeSending);

    /// Writes the document of an event.
    ///
    /// @throws io.cadastre.datastore.DatastoreException if the server certainly did not do it
    Commit writeEvent(Write write);

    /// Sends a patch when its turn comes, as upstream waits for it however low `--kube-api-qps` is. A patch that was
    /// never sent did not fail.
    ///
    /// @param check throws what is to be thrown once the patch is not wanted any more
    static Commit inTurn(Supplier<Commit> patch, Runnable check) {
        // Ends: when the patch was sent, or when it is not wanted any more.
        while (true) {
            check.run();
            try {
                return patch.get();
            } catch (DatastoreException unsent) {
                if (unsent.kind() != DatastoreException.Kind.DEADLINE) {
                    throw unsent;
                }
            }
        }
    }

    /// Who set the CIDRs of the Node, by the name that the server records; empty if it records none.
    Optional<String> findCidrManager(String node);
}
