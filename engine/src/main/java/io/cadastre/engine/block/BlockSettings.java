package io.cadastre.engine.block;

import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockChange.PutConfig;
import java.util.List;

/// Changes what holds for the whole cluster.
public final class BlockSettings {

    private BlockSettings() {}

    /// Configures this. What is configured already is not written again.
    public static Decision<BlockChange, Configuration> configure(BlockView view, IpamConfig config) {
        if (config.equals(view.config())) {
            return new Decision<>(new Configuration.Configured(config), List.of(), List.of());
        }
        if (!config.strictAffinity() && !config.autoAllocateBlocks()) {
            return refused("Cannot disable 'StrictAffinity' and 'AutoAllocateBlocks' at the same time");
        }
        if (config.maxBlocksPerHost() > 0 && !config.strictAffinity()) {
            return refused("MaxBlocksPerHost requires StrictAffinity to be enabled");
        }
        return new Decision<>(new Configuration.Configured(config), List.of(new PutConfig(config)), List.of());
    }

    private static Decision<BlockChange, Configuration> refused(String sentence) {
        return new Decision<>(new Configuration.Refused(new BlockRefusal.Because(sentence)), List.of(), List.of());
    }
}
