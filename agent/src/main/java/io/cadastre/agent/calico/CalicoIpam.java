package io.cadastre.agent.calico;

import static io.cadastre.agent.StoreFailures.answered;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.agent.AddExplanation;
import io.cadastre.agent.AgentException;
import io.cadastre.agent.AgentHome;
import io.cadastre.agent.Plugin;
import io.cadastre.agent.Withdrawal;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.OwnerUpdate.Expectation;
import io.cadastre.engine.block.assign.AssignedAddress;
import io.cadastre.engine.block.release.BlockReleases;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoReflector;
import io.cadastre.wire.calico.UnparsableEntryException;
import io.cadastre.wire.cni.CalicoIpamConfig;
import io.cadastre.wire.cni.CalicoIpamConfig.Orchestrator;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniPlugin;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.CniVersion;
import io.cadastre.wire.cni.ValidAttachments;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The plugin calico-ipam, for one node.
public final class CalicoIpam implements Plugin, AutoCloseable {

    /// The attribute of an address that says for which network, container and interface it is.
    public static final String ATTACHMENT = AttachmentId.ATTRIBUTE;

    private static final String ABOUT = "Cadastre's calico-ipam: addresses from Calico's blocks";

    private final AgentContext context;
    private final CalicoReflector reflector;
    private final ClusterGate gate;
    private final Registrar<BlockView, BlockChange> registrar;
    private final AttachRequests requests;
    private final AgentHome home;

    private CalicoIpam(AgentContext context, String node, KubernetesFacts kubernetes) {
        this.context = context;
        this.reflector = CalicoReflector.begin(context.store(), Owner.host(node), context.clock(), context.pause());
        this.gate = ClusterGate.begin(context.store(), context.pause());
        this.registrar = context.registrar(reflector.book());
        this.requests = new AttachRequests(registrar, node, kubernetes);
        this.home = new AgentHome(node, context.commandOptions());
    }

    /// Begins to watch what concerns the node, and makes sure that the node has a document.
    ///
    /// @throws DatastoreException if the store does not answer
    /// @throws AgentException if the node does not exist and cannot be made
    public static CalicoIpam open(AgentContext context, String node) {
        return open(context, node, KubernetesFacts.NOTHING);
    }

    /// Begins to watch what concerns the node, and makes sure that the node has a document.
    ///
    /// @param kubernetes what knows namespaces and virtual machines
    /// @throws DatastoreException if the store does not answer
    /// @throws AgentException if the node does not exist and cannot be made
    public static CalicoIpam open(AgentContext context, String node, KubernetesFacts kubernetes) {
        NodeRecord.ensure(context, node, kubernetes);
        return new CalicoIpam(context, node, kubernetes);
    }

    @Override
    public CniPlugin forCall(Withdrawal withdrawal) {
        return CniPlugin.supporting(CniVersion.KNOWN)
                .withAbout(ABOUT)
                .onAdd(call -> add(call, withdrawal))
                .onDel(this::del)
                .onCheck(this::check)
                .onGc(this::collect)
                .onStatus(this::status);
    }

    @Override
    public void close() {
        gate.close();
        reflector.close();
    }

    // ---- ADD ----

    private CniResult add(CniCall call, Withdrawal withdrawal) {
        var answer = IpamAnswer.to(call);
        var asking = requests.asking(call, context.now());
        var grant = whileOpen(() ->
                registrar.enact(new Request<BlockView, BlockChange, AttachResult>(asking.words(), asking::decide)));
        return switch (grant) {
            case AttachResult.Granted(var handle, var use, var leases, var added) -> {
                if (!added.isEmpty()) {
                    withdrawal.add(() -> takeBack(asking.id(), handle, added));
                }
                yield answer.result(leases, use);
            }
            case AttachResult.Refused(var sentence) ->
                throw new CniException(CniCode.INTERNAL, sentence, home.hint(call, asking.host()));
        };
    }

    /// What an ADD would come to now. Nothing is written and nothing is watched.
    ///
    /// @param node whose agent would be called
    /// @throws CniException if the call cannot be understood
    public static AddExplanation explain(AgentContext context, String node, KubernetesFacts kubernetes, CniCall call) {
        Registrar<BlockView, BlockChange> registrar =
                context.registrar(new CalicoBook(context.store(), context.clock()));
        var asking = new AttachRequests(registrar, node, kubernetes).asking(call, context.now());
        var decision =
                registrar.explain(new Request<BlockView, BlockChange, AttachResult>(asking.words(), asking::decide));
        return switch (decision.outcome()) {
            case AttachResult.Granted granted ->
                AddExplanation.giving(
                        granted.leases().stream().map(AssignedAddress::address).toList(), decision);
            case AttachResult.Refused(var sentence) -> AddExplanation.refusing(sentence, decision);
        };
    }

    private void takeBack(AttachmentId id, String handle, List<AssignedAddress> leases) {
        var options = leases.stream()
                .map(lease -> ReleaseOption.of(lease.address().toString()).withHandle(handle))
                .toList();
        enact(
                "cni add %s: take back".formatted(id.text()),
                view -> BlockReleases.release(view, options, context.now()));
    }

    // ---- DEL and GC ----

    private void del(CniCall call) {
        var config = CalicoIpamConfig.read(call.config(), call.args());
        var id = AttachmentId.of(call);
        var handles = Stream.concat(Stream.of(id.handle()), legacyHandle(id, config).stream())
                .filter(AttachmentId::fits)
                .toList();
        var words = "cni del " + id.text();
        switch (requests.owner(call, config)) {
            case AddressOwner.Container _ -> whileOpen(() -> release(words, id, handles));
            case AddressOwner.OfMachine of ->
                whileOpen(() -> leave(
                        words,
                        new DetachRequest.MachineLeave(
                                id, of.handle(), of.pod(), of.machine().leaving()),
                        handles));
        }
    }

    /// The addresses of a machine stay when its container goes.
    private ReleaseResult leave(String words, DetachRequest.MachineLeave leave, List<String> handles) {
        var now = context.now();
        return done(enact(words, view -> DetachRequest.decide(view, leave, handles, now)));
    }

    /// What old releases of Calico gave addresses by.
    private static Optional<String> legacyHandle(AttachmentId id, CalicoIpamConfig config) {
        var handle = config.orchestrator() == Orchestrator.K8S
                ? "%s.%s".formatted(config.namespace(), config.pod())
                : id.containerId();
        return Optional.of(handle).filter(text -> text.indexOf('/') < 0);
    }

    private ReleaseResult release(String words, AttachmentId id, List<String> handles) {
        var now = context.now();
        return done(enact(words, view -> DetachRequest.decide(view, id, handles, now)));
    }

    private static ReleaseResult done(ReleaseResult surrender) {
        if (surrender instanceof ReleaseResult.Refused(var sentence)) {
            throw new CniException(CniCode.INTERNAL, sentence);
        }
        return surrender;
    }

    /// Takes back the addresses that were given on this node, in this network, to an interface that the
    /// runtime does not list. An address without an attachment is left alone, since its handle does not
    /// show where the name of the network ends.
    private void collect(CniCall call) {
        call.config().validAttachments().ifPresent(valid -> collect(call, valid));
    }

    private void collect(CniCall call, ValidAttachments valid) {
        var network = call.config().name();
        var host = requests.host(CalicoIpamConfig.read(call.config(), ""));
        var stale = whileOpen(() -> requests.ask(view -> attachments(view, network, host, valid)));
        var faults = new ArrayList<String>();
        for (var one : stale) {
            try {
                whileOpen(() -> release(one));
            } catch (CniException failed) {
                faults.add("%s: %s".formatted(one.id().text(), failed.error().sentence()));
            }
        }
        if (!faults.isEmpty()) {
            throw new CniException(
                    CniCode.INTERNAL,
                    "%d of %d attachments could not be released".formatted(faults.size(), stale.size()),
                    String.join("; ", faults));
        }
    }

    /// An attachment that a runtime does not know.
    ///
    /// @param handle by which it has addresses
    private record Stale(AttachmentId id, String handle) {}

    private ReleaseResult release(Stale stale) {
        var id = stale.id();
        var words = "cni gc " + id.text();
        if (stale.handle().equals(id.handle())) {
            return release(words, id, List.of(stale.handle()));
        }
        var nobody = new Expectation.Pod("", "");
        return leave(words, new DetachRequest.MachineLeave(id, stale.handle(), nobody, false), List.of());
    }

    private static List<Stale> attachments(BlockView view, String network, String host, ValidAttachments valid) {
        var found = new ArrayList<Stale>();
        for (var family : Family.values()) {
            for (var block : view.blocks(family)) {
                if (!block.damaged()) {
                    HeldAddress.in(block)
                            .filter(held ->
                                    held.held().owner().getOrDefault("node", "").equals(host))
                            .flatMap(held -> stale(held, network, valid).stream())
                            .forEach(found::add);
                }
            }
        }
        return found.stream().distinct().toList();
    }

    private static Optional<Stale> stale(HeldAddress held, String network, ValidAttachments valid) {
        return AttachmentId.find(held.held())
                .filter(id -> id.network().equals(network))
                .filter(id -> !valid.contains(id.containerId(), id.ifname()))
                .map(id -> new Stale(id, held.held().cleanHandle()));
    }

    // ---- CHECK and STATUS ----

    private void check(CniCall call) {
        var config = CalicoIpamConfig.read(call.config(), call.args());
        var id = AttachmentId.of(call);
        var owner = requests.owner(call, config);
        var held = answered(() -> requests.ask(view -> held(view, owner.under(view.config()))));
        var requested = config.requested();
        if (requested.isPresent()) {
            if (!held.contains(requested.get())) {
                throw missing(id, requested.get().toString());
            }
            return;
        }
        var shown = call.config().prevResult();
        for (var family : AttachRequest.wanted(config)) {
            if (held.stream()
                    .filter(address -> address.family() == family)
                    .noneMatch(address -> shown.isEmpty()
                            || shown.get().ips().stream()
                                    .anyMatch(ip -> ip.address().ip().equals(address)))) {
                throw missing(id, "%s address".formatted(family));
            }
        }
    }

    private static List<Address> held(BlockView view, AddressOwner owner) {
        return Stream.of(owner.handle())
                .filter(AttachmentId::fits)
                .flatMap(handle -> HeldAddress.of(view, handle).stream())
                .filter(owner::holds)
                .map(HeldAddress::address)
                .toList();
    }

    private static CniException missing(AttachmentId id, String what) {
        return new CniException(
                CniCode.INTERNAL,
                "no %s of the result is reserved for interface %s of container %s"
                        .formatted(what, id.ifname(), id.containerId()));
    }

    private void status(CniCall call) {
        boolean open;
        try {
            open = gate.open();
            var host = requests.host(CalicoIpamConfig.read(call.config(), ""));
            context.store().get(new CalicoKey.OfNode(host).text());
        } catch (DatastoreException unreachable) {
            throw new CniException(
                    CniError.of(
                            CniCode.PLUGIN_NOT_AVAILABLE,
                            "the store does not answer",
                            String.valueOf(unreachable.getMessage())),
                    unreachable);
        }
        if (!open) {
            throw new CniException(CniCode.PLUGIN_NOT_AVAILABLE, NOT_READY);
        }
    }

    // ---- the store ----

    private static final String NOT_READY = "Calico is currently not ready to process requests";

    private <O> O enact(String words, Function<BlockView, Decision<BlockChange, O>> law) {
        return registrar.enact(new Request<>(words, law));
    }

    private <O> O whileOpen(Supplier<O> work) {
        return answered(() -> {
            if (!isOpen()) {
                throw new CniException(CniCode.TRY_AGAIN_LATER, NOT_READY);
            }
            return work.get();
        });
    }

    private boolean isOpen() {
        try {
            return gate.open();
        } catch (UnparsableEntryException unreadable) {
            throw new CniException(
                    CniError.of(CniCode.INTERNAL, "error getting ClusterInformation: " + unreadable.getMessage()),
                    unreadable);
        }
    }
}
