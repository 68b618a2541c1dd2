package io.cadastre.datastore;

/// One conditional write. It says what its writer believes, and nothing happens if that is not so.
public sealed interface Write {

    String key();

    /// Writes a key that must not exist.
    record Create(String key, Bytes value) implements Write {}

    /// Rewrites a key that must still be at this revision.
    record Update(String key, Bytes value, long revision) implements Write {}

    /// Deletes a key that must still be at this revision.
    record Delete(String key, long revision) implements Write {}
}
