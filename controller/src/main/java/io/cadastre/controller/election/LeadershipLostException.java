package io.cadastre.controller.election;

import io.cadastre.datastore.DatastoreException;

/// A commit was not made, since its process no longer holds the lease.
public final class LeadershipLostException extends DatastoreException {

    private static final long serialVersionUID = 1;

    LeadershipLostException(String identity) {
        super(Kind.DENIED, "%s did not renew its lease in time and no longer writes".formatted(identity));
    }
}
