package io.cadastre.agent.net;

import io.cadastre.registry.Pause;
import io.cadastre.wire.cni.CniCall;
import java.util.function.Consumer;

/// Finds the plugin that a configuration names: one that this process serves, or else a program.
final class Delegates {

    private final ServedPlugins served;
    private final Pause pause;
    private final Consumer<String> log;

    /// @param log takes what programs say beside their answers
    Delegates(ServedPlugins served, Pause pause, Consumer<String> log) {
        this.served = served;
        this.pause = pause;
        this.log = log;
    }

    /// @throws io.cadastre.wire.cni.CniException if there is none
    Delegate find(String type, CniCall call) {
        return served.find(type, call.config())
                .<Delegate>map(ServedDelegate::new)
                .orElseGet(() -> ExecutedDelegate.find(type, call.path(), pause, log));
    }
}
