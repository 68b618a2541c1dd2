package io.cadastre.engine.pool;

import io.cadastre.engine.pool.keep.Succession;

/// The pod that addresses are for.
///
/// @param uid distinguishes it from another pod that has or had the same name
/// @param succession whether its addresses stay for the pod that follows it
public record PodInfo(
        PodKey key,
        String uid,
        String node,
        Life life,
        Labels labels,
        TopController controller,
        Succession succession) {

    /// A pod whose addresses go with it.
    public PodInfo(PodKey key, String uid, String node, Life life, Labels labels, TopController controller) {
        this(key, uid, node, life, labels, controller, new Succession.None());
    }

    /// The name under which pools and endpoints record what it has.
    public PodKey holder() {
        return succession.holder(key);
    }

    public PoolRecord record() {
        return PoolRecord.of(holder(), uid);
    }

    PodInfo dead() {
        return new PodInfo(key, uid, node, Life.DEAD, labels, controller, succession);
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
