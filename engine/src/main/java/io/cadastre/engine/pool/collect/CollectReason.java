package io.cadastre.engine.pool.collect;

import io.cadastre.engine.Because;
import io.cadastre.engine.pool.PodKey;

/// Why something of a pod is taken back or kept.
public record CollectReason(PodKey pod, CollectRule rule) implements Because {

    @Override
    public String sentence() {
        return "pod %s: %s".formatted(pod, rule.words());
    }
}
