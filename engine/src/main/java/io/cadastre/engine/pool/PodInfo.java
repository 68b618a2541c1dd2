package io.cadastre.engine.pool;

/// The pod that addresses are for.
///
/// @param uid distinguishes it from another pod that has or had the same name
public record PodInfo(PodKey key, String uid, String node, Life life, Labels labels, TopController controller) {

    PoolRecord record() {
        return PoolRecord.of(key, uid);
    }

    /// Whether a pod may still need addresses.
    public enum Life {
        ALIVE,
        DEAD;

        /// What becomes of a pod.
        ///
        /// @param deleting whether its deletion has begun
        /// @param reason why it is in that phase
        public static Life of(boolean deleting, String phase, String restartPolicy, String reason) {
            boolean ended =
                    switch (phase) {
                        case "Succeeded" -> !restartPolicy.equals("Always");
                        case "Failed" -> restartPolicy.equals("Never") || reason.equals("Evicted");
                        default -> false;
                    };
            return deleting || ended ? DEAD : ALIVE;
        }
    }
}
