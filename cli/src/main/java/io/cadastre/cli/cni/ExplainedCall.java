package io.cadastre.cli.cni;

import io.cadastre.address.Address;
import io.cadastre.agent.AddExplanation;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.agent.calico.CalicoIpam;
import io.cadastre.agent.hostlocal.HostLocal;
import io.cadastre.agent.net.PodCidrs;
import io.cadastre.agent.net.StoredPods;
import io.cadastre.agent.spiderpool.PoolAgent;
import io.cadastre.agent.spiderpool.PoolAgentSettings;
import io.cadastre.agent.spiderpool.Spiderpool;
import io.cadastre.agent.spiderpool.SpiderpoolAgentException;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.Explanation;
import io.cadastre.cli.ipam.IpamExplanation;
import io.cadastre.cli.run.AgentRun;
import io.cadastre.cli.session.ClusterFacts;
import io.cadastre.cli.session.Session;
import io.cadastre.cli.session.SpiderpoolOptions;
import io.cadastre.engine.Because;
import io.cadastre.engine.Change;
import io.cadastre.wire.cni.CalicoAnnotations;
import io.cadastre.wire.cni.CalicoAnnotations.Choice;
import io.cadastre.wire.cni.CalicoNetConfig;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.NetworkConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/// A CNI ADD that is explained and not carried out.
///
/// @param subject what would get addresses
/// @param node whose agent would be called
/// @param args the text of `CNI_ARGS`
/// @param annotations the requests of the pod and its namespace, where they count
record ExplainedCall(
        String subject,
        String node,
        ExplainedNetwork network,
        String containerId,
        String ifname,
        String args,
        CalicoAnnotations annotations) {

    /// A call whose annotations do not count.
    ExplainedCall(
            String subject, String node, ExplainedNetwork network, String containerId, String ifname, String args) {
        this(subject, node, network, containerId, ifname, args, CalicoAnnotations.NONE);
    }

    /// With the annotations of the pod that `CNI_ARGS` names, if the network's plugin asks for them.
    ///
    /// @throws CommandRefusedException if it asks about a pod that the store does not have
    ExplainedCall annotatedIn(StoredPods pods) {
        if (!network.mainPlugin()) {
            return this;
        }
        var config = CalicoNetConfig.read(network.config(), args);
        if (!config.asksKubernetes()) {
            return this;
        }
        if (pods.findPod(config.namespace(), config.pod()).isEmpty()) {
            throw new CommandRefusedException(
                    "an ADD to network %s would fail: it asks about pod %s/%s, which this store does not have"
                            .formatted(config.network(), config.namespace(), config.pod()));
        }
        return annotatedAs(pods, config.namespace(), config.pod());
    }

    /// With the annotations of a pod, as far as they are stored.
    ExplainedCall annotatedAs(StoredPods pods, String namespace, String pod) {
        var read = CalicoAnnotations.of(
                pods.findNamespace(namespace).orElse(Collections.emptySortedMap()),
                pods.findPod(namespace, pod).map(found -> found.annotations()).orElse(Collections.emptySortedMap()));
        return new ExplainedCall(subject, node, network, containerId, ifname, args, read);
    }

    /// Decides on what is stored now.
    Explanation explain(Session session, SpiderpoolOptions spiderpoolOptions) throws InterruptedException {
        return IpamExplanation.ofAdding(subject, node, explained(session, spiderpoolOptions));
    }

    private AddExplanation explained(Session session, SpiderpoolOptions spiderpoolOptions) throws InterruptedException {
        var store = session.datastore();
        if (network.mainPlugin() || network.law() == ExplainedNetwork.Law.CALICO) {
            ClusterFacts.requireUnlocked(store);
        }
        var means = AgentRun.means(session, store, session.ledger());
        var pods = session.pods();
        return switch (network.law()) {
            case CALICO -> chosen(means, pods);
            case HOST_LOCAL -> {
                choice();
                yield HostLocal.explain(AgentRun.FOLDER_LOCK_MAX, call(onNode(pods), args));
            }
            case SPIDERPOOL -> {
                choice();
                yield spiderpool(means, PoolAgentSettings.of(spiderpoolOptions.settings(session.context())));
            }
        };
    }

    private AddExplanation spiderpool(AgentContext means, PoolAgentSettings settings) {
        try {
            return Spiderpool.explain(new PoolAgent(means, node, settings), call(network.config(), args));
        } catch (SpiderpoolAgentException failed) {
            throw new CommandRefusedException(failed.words());
        }
    }

    /// How the addresses are chosen.
    private Choice choice() {
        return annotations.equals(CalicoAnnotations.NONE)
                ? new Choice.Automatic()
                : annotations.choice(CalicoNetConfig.read(network.config(), args));
    }

    private AddExplanation chosen(AgentContext means, StoredPods pods) {
        var config = annotations.applyTo(network.config());
        return switch (choice()) {
            case Choice.Automatic _ -> CalicoIpam.explain(means, node, pods, call(config, args));
            case Choice.Imposed(var addresses) ->
                new AddExplanation(addresses, "", List.of(new ChosenByPod()), List.of());
            case Choice.Requested(var addresses) -> requested(means, pods, config, addresses);
        };
    }

    /// Each address is requested by itself. If one is refused, the others are released.
    private AddExplanation requested(
            AgentContext means, StoredPods pods, NetworkConfig config, List<Address> addresses) {
        var given = new ArrayList<Address>();
        var because = new ArrayList<Because>();
        var changes = new ArrayList<Change>();
        for (var address : addresses) {
            var arguments = "%s;IP=%s".formatted(CalicoNetConfig.lenient(args), address);
            var told = CalicoIpam.explain(means, node, pods, call(config, arguments));
            because.addAll(told.because());
            if (!told.refusal().isEmpty()) {
                return new AddExplanation(
                        List.of(), "error getting IP from IPAM: " + told.refusal(), because, List.of());
            }
            given.addAll(told.addresses());
            changes.addAll(told.changes());
        }
        return new AddExplanation(given, "", because, changes);
    }

    /// The configuration with `usePodCidr` replaced, as the main plugin does.
    private NetworkConfig onNode(StoredPods pods) {
        boolean ofPod = network.mainPlugin()
                && !CalicoNetConfig.read(network.config(), args).pod().isEmpty();
        return ofPod ? PodCidrs.replaceIn(network.config(), pods, node) : network.config();
    }

    private CniCall call(NetworkConfig config, String arguments) {
        return new CniCall(CniVerb.ADD, containerId, "", ifname, arguments, List.of(), config, Map.of());
    }

    /// The pod names its addresses, and no pool is used.
    private record ChosenByPod() implements Because {
        @Override
        public String sentence() {
            return "the pod's annotation cni.projectcalico.org/ipAddrsNoIpam sets the addresses, and"
                    + " no pool is used";
        }
    }
}
