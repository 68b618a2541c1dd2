package io.cadastre.datastore;

/// The store no longer knows what it held at a revision.
public final class CompactedException extends DatastoreException {

    private static final long serialVersionUID = 1;

    public CompactedException(long revision, long oldestRevision) {
        super(
                Kind.COMPACTED,
                "revision %d was compacted; the oldest revision is %d".formatted(revision, oldestRevision));
    }
}
