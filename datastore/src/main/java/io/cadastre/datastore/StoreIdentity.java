package io.cadastre.datastore;

/// Which store it is, and how far it had come, by its own account.
///
/// @param name a text that distinguishes it from every other store
/// @param term grows whenever the servers of the store choose a leader, and begins anew in a store that
///     was put back from a backup; zero where the store reports none
/// @param revision the newest one
public record StoreIdentity(String name, long term, long revision) {

    /// Whether a store that had this identity earlier may have the other one later.
    public boolean mayBecome(StoreIdentity later) {
        return name.equals(later.name) && later.term >= term && later.revision >= revision;
    }
}
