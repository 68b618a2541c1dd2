package io.cadastre.agent.net;

import io.cadastre.address.Address;
import io.cadastre.datastore.DatastoreException;
import java.util.List;

/// Reports to a cluster which addresses its pods have, as soon as they have them.
public interface PodNotes {

    /// Reports nothing.
    PodNotes NONE = new PodNotes() {
        @Override
        public void write(Sandbox sandbox, List<Address> addresses) {}

        @Override
        public void erase(Sandbox sandbox) {}

        @Override
        public void eraseOwn(Sandbox sandbox) {}
    };

    /// A sandbox of a pod.
    ///
    /// @param podUid empty if it is not known
    record Sandbox(String namespace, String pod, String podUid, String containerId) {}

    /// The pod has these addresses, by this sandbox.
    ///
    /// @throws DatastoreException if it cannot be reported to the cluster now
    void write(Sandbox sandbox, List<Address> addresses);

    /// The pod has no addresses any more, unless it has them by another sandbox. Does what it can: that the
    /// addresses are given back does not depend on it.
    void erase(Sandbox sandbox);

    /// The same for a sandbox that the record of the pod's endpoint named until now: no newer one has
    /// reported addresses.
    void eraseOwn(Sandbox sandbox);
}
