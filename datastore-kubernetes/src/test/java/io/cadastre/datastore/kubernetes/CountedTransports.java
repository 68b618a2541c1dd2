package io.cadastre.datastore.kubernetes;

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/// Opens a store, and counts the transports that it has made for itself.
final class CountedTransports {

    private final AtomicInteger made = new AtomicInteger();

    int made() {
        return made.get();
    }

    KubernetesDatastore open(KubernetesSettings settings, DocumentsMap map, ProbeLimits limits) {
        var config = Configurations.of(settings);
        var transports = new JdkTransports(config);
        var live = new LiveTransport(
                config.getMasterUrl(),
                () -> {
                    made.incrementAndGet();
                    return transports.get();
                },
                limits);
        return new KubernetesDatastore(new ApiClient(config.getMasterUrl(), live, settings, new Random(1)), map);
    }
}
