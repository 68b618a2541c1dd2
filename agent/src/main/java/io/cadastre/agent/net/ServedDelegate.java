package io.cadastre.agent.net;

import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniPlugin;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.Namespaces;
import io.cadastre.wire.cni.StdinSource;

/// A plugin of this very process.
final class ServedDelegate implements Delegate {

    /// The caller has compared the namespaces already.
    private static final Namespaces COMPARED = _ -> Namespaces.Relation.OTHER;

    private final CniPlugin plugin;

    ServedDelegate(CniPlugin plugin) {
        this.plugin = plugin;
    }

    @Override
    public CniResult add(CniCall call) {
        return PluginOutput.result(answer(call), call.config().cniVersion());
    }

    @Override
    public void perform(CniCall call) {
        PluginOutput.check(answer(call));
    }

    private CniAnswer answer(CniCall call) {
        return plugin.answer(call.environment(), StdinSource.of(call.config().raw()), COMPARED);
    }
}
