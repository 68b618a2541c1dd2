package io.cadastre.controller.election;

import io.cadastre.datastore.DatastoreException;

/// A commit was not made, since whoever asked for it no longer holds the office.
public final class DeposedException extends DatastoreException {

    private static final long serialVersionUID = 1;

    DeposedException(String identity) {
        super(
                Kind.DENIED,
                "%s did not renew its lease in time and writes nothing any more"
                        .formatted(identity));
    }
}
