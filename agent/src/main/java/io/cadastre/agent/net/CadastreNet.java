package io.cadastre.agent.net;

import io.cadastre.agent.Plugin;
import io.cadastre.agent.Turns;
import io.cadastre.agent.Withdrawal;
import io.cadastre.agent.calico.Means;
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

    private final Site site;

    /// @param served the plugins for addresses that need no program to be started
    public CadastreNet(
            Means means, Host host, PodLookup pods, PodNotes notes, ServedPlugins served) {
        this.site =
                new Site(
                        host,
                        new Gates(host, means.pause()),
                        new Records(means, notes),
                        pods,
                        new Delegates(served, means.pause(), host.log()),
                        new Turns(),
                        KERNEL_MAX,
                        means.pause());
    }

    @Override
    public CniPlugin forCall(Withdrawal withdrawal) {
        return CniPlugin.supporting(CniVersion.KNOWN)
                .withAbout(ABOUT)
                .onAdd(call -> Attaching.add(site, call, withdrawal))
                .onDel(call -> Detaching.del(site, call))
                .onCheck(call -> Checking.check(site, call))
                .onGc(call -> Collecting.collect(site, call))
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
            site.gates().node(config.node());
            site.records().checkReady();
        } catch (CniException notReady) {
            throw new CniException(
                    CniError.of(
                            CniCode.PLUGIN_NOT_AVAILABLE,
                            notReady.error().msg(),
                            notReady.error().details()),
                    notReady);
        }
        new Ipam(
                        site.delegates().find(config.ipam().type(), call),
                        call,
                        Detaching.configOfIpam(config, call.config()))
                .status();
    }
}
