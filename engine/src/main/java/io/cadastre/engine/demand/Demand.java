package io.cadastre.engine.demand;

/// How many addresses are needed, when some are in use or awaited.
public final class Demand {

    private Demand() {}

    /// With pools: the next multiple of the step that is beyond what is in use, and one step more unless that is met
    /// exactly. Without a step, what is in use.
    ///
    /// @param base what is in use or awaited
    /// @param step how many are allocated ahead
    public static long stepped(long base, long step) {
        checkCounts(base, step);
        if (step == 0) {
            return base;
        }
        return (base / step + (base % step > 0 ? 2 : 1)) * step;
    }

    /// On a cloud: some more than are in use.
    ///
    /// @param base what is in use or awaited
    /// @param ahead how many are allocated ahead
    public static long linear(long base, long ahead) {
        checkCounts(base, ahead);
        return base + ahead;
    }

    private static void checkCounts(long base, long ahead) {
        if (base < 0 || ahead < 0) {
            throw new IllegalArgumentException("%d and %d are not numbers of addresses".formatted(base, ahead));
        }
    }
}
