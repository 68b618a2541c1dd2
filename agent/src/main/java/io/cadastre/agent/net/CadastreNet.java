package io.cadastre.agent.net;

import io.cadastre.agent.KeyedLock;
import io.cadastre.agent.Plugin;
import io.cadastre.agent.ServedPlugins;
import io.cadastre.agent.Withdrawal;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.agent.calico.ClusterGate;
import io.cadastre.wire.cni.CalicoNetConfig;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniPlugin;
import io.cadastre.wire.cni.CniVersion;
import java.time.Duration;

/// The plugin cadastre-net, which may be called `calico` too.
public final class CadastreNet implements Plugin {

    private static final String ABOUT = "Cadastre's cadastre-net: links in the manner of Calico";

    /// As long as Calico waits for the kernel in a DEL.
    private static final Duration KERNEL_MAX = Duration.ofSeconds(20);

    private final NetContext context;

    /// @param gate whether the store may be written
    /// @param plugins the plugins for addresses that need no program to be started
    public CadastreNet(
            AgentContext context, ClusterGate gate, Host host, PodLookup pods, PodNotes notes, ServedPlugins plugins) {
        this.context = new NetContext(
                host,
                new AddPreconditions(host, context.pause()),
                new EndpointRecords(context, gate, notes),
                pods,
                plugins,
                new KeyedLock(),
                KERNEL_MAX,
                context.pause());
    }

    @Override
    public CniPlugin forCall(Withdrawal withdrawal) {
        return CniPlugin.supporting(CniVersion.KNOWN)
                .withAbout(ABOUT)
                .onAdd(call -> AddOperation.add(context, call, withdrawal))
                .onDel(call -> DelOperation.del(context, call))
                .onCheck(call -> CheckOperation.check(context, call))
                .onGc(call -> GcOperation.collect(context, call))
                .onStatus(this::status);
    }

    /// A plugin for addresses may be a program that asks one of ours.
    @Override
    public boolean startsPrograms() {
        return true;
    }

    private void status(CniCall call) {
        var config = CalicoNetConfig.read(call.config(), "");
        try {
            context.preconditions().node(config.node());
            context.records().checkReady();
        } catch (CniException notReady) {
            throw new CniException(
                    CniError.of(
                            CniCode.PLUGIN_NOT_AVAILABLE,
                            notReady.error().msg(),
                            notReady.error().details()),
                    notReady);
        }
        context.ipam(config.ipam().type(), call, DelOperation.configOfIpam(config, call.config()))
                .status();
    }
}
