package io.cadastre.engine.pool;

/// Gives back what a pod has.
///
/// @param uid that of the pod as far as whoever asks knows; empty if he does not
public record ReleaseRequest(PodKey key, String nic, String uid, Standing standing) {

    /// What is known of the pod itself.
    public sealed interface Standing {

        /// It lives, and will ask again.
        record Alive() implements Standing {}

        /// It is there, and will not ask again.
        record Leaving(String uid) implements Standing {}

        record Gone() implements Standing {}
    }
}
