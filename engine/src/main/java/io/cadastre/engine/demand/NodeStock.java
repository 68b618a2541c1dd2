package io.cadastre.engine.demand;

/// The addresses that a node has at a cloud, and how many it is to have.
///
/// @param available how many it has
/// @param used how many of them are in use
/// @param preAllocate how many are to be free
/// @param minAllocate how many it has at least
/// @param maxAllocate how many it has at most; no limit if zero
/// @param maxAboveWatermark how many more may be added at a time, to save calls
public record NodeStock(
        int available, int used, int preAllocate, int minAllocate, int maxAllocate, int maxAboveWatermark) {

    public NodeStock {
        if (available < 0
                || used < 0
                || preAllocate < 0
                || minAllocate < 0
                || maxAllocate < 0
                || maxAboveWatermark < 0) {
            throw new IllegalArgumentException("a stock has no negative numbers");
        }
    }

    /// How many addresses are missing.
    public int needed() {
        int needed = Math.max(preAllocate + used - available, minAllocate - available);
        return Math.max(0, maxAllocate > 0 ? Math.min(needed, maxAllocate - available) : needed);
    }

    /// How many addresses are too many. Up to the base stock and the watermark together, addresses stay whether they
    /// are used or not.
    public int excess() {
        int kept = minAllocate + maxAboveWatermark;
        if (used <= kept) {
            if (available <= kept) {
                return 0;
            }
            if (used + preAllocate <= kept) {
                return available - kept;
            }
        }
        return Math.max(0, available - used - preAllocate - maxAboveWatermark);
    }

    /// How many addresses to add at once: what is missing, the watermark, and what pods wait for beyond that.
    ///
    /// @param pendingPods how many pods of the node have no address yet
    public int toAllocate(int pendingPods) {
        int needed = needed();
        if (needed == 0) {
            return 0;
        }
        int wanted = needed + maxAboveWatermark + surge(pendingPods);
        return maxAllocate > 0 ? Math.min(wanted, maxAllocate - available) : wanted;
    }

    /// How many more pods wait than addresses are missing.
    public int surge(int pendingPods) {
        return Math.max(0, pendingPods - needed());
    }

    public NodeStock withAvailable(int count) {
        return new NodeStock(count, used, preAllocate, minAllocate, maxAllocate, maxAboveWatermark);
    }

    public NodeStock withUsed(int count) {
        return new NodeStock(available, count, preAllocate, minAllocate, maxAllocate, maxAboveWatermark);
    }
}
