package io.cadastre.datastore;

/// What a key held at one time, and the revision of the commit that wrote it.
public record Document(String key, Bytes value, long revision) {}
