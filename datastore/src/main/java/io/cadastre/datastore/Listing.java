package io.cadastre.datastore;

import java.util.List;
import java.util.Optional;

/// One page of the documents under a prefix, in the order of their keys, as they were at `revision`.
///
/// @param next where the following page begins; absent on the last page
public record Listing(List<Document> documents, long revision, Optional<Cursor> next) {

    public Listing {
        documents = List.copyOf(documents);
    }

    /// A place in a list: after `afterKey`, at the revision of the first page.
    public record Cursor(String prefix, String afterKey, long revision) {}
}
