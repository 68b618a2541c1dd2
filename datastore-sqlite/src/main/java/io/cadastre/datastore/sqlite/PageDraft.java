package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A page of a list in the making.
final class PageDraft {

    /// A page ends after this, even if it has fewer documents than it may: a thousand of the greatest
    /// would fill the memory of a small process.
    private static final long PAGE_BYTES_MAX = 16L << 20;

    private final String prefix;
    private final long revision;
    private final int limit;
    private final List<Document> documents = new ArrayList<>();
    private long bytes;
    private boolean more;

    PageDraft(String prefix, long revision, int limit) {
        this.prefix = prefix;
        this.revision = revision;
        this.limit = limit;
    }

    /// Takes the next document, or notes that it belongs to the next page.
    void offer(Document document) {
        if (isFull()) {
            more = true;
        } else {
            documents.add(document);
            bytes += document.value().size();
        }
    }

    /// Whether nothing that is offered can change the page any more.
    boolean isDone() {
        return more;
    }

    Listing listing() {
        return new Listing(
                documents,
                revision,
                more
                        ? Optional.of(
                                new Listing.Cursor(prefix, documents.getLast().key(), revision))
                        : Optional.empty());
    }

    private boolean isFull() {
        return documents.size() == limit || bytes >= PAGE_BYTES_MAX;
    }
}
