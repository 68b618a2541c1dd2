package io.cadastre.datastore.resource;

import io.cadastre.datastore.Bytes;

/// What an object is to the store.
public sealed interface Content {

    /// A document.
    record Present(String key, Bytes value) implements Content {}

    /// A document that was deleted, of which the object has yet to go.
    record Tombstone(String key) implements Content {}

    /// Nothing to the store.
    record Foreign() implements Content {}
}
