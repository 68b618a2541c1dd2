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
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.OwnerUpdate.Expectation;
import io.cadastre.engine.block.assign.AddressOwner;
import io.cadastre.engine.block.assign.AssignedAddress;
import io.cadastre.engine.block.assign.AttachRequest;
import io.cadastre.engine.block.assign.AttachResult;
import io.cadastre.engine.block.assign.AttachmentId;
import io.cadastre.engine.block.assign.HeldAddress;
import io.cadastre.engine.block.release.DetachRequest;
import io.cadastre.engine.block.release.DetachResult;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoReflector;
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

    /// Whether the store may be written.
    public ClusterGate gate() {
        return gate;
    }

    @Override
    public void close() {
        gate.close();
        reflector.close();
    }

    // ---- ADD ----

    private CniResult add(CniCall call, Withdrawal withdrawal) {
        var answer = IpamAnswer.to(call);
        var attach = requests.attach(call, context.now());
        var grant = whileOpen(() -> registrar.enact(request(attach)));
        return switch (grant) {
            case AttachResult.Granted(var handle, var use, var leases, var added) -> {
                if (!added.isEmpty()) {
                    withdrawal.add(() -> takeBack(attach.owner().id(), handle, added));
                }
                yield answer.result(leases, use);
            }
            case AttachResult.Refused(var sentence) ->
                throw new CniException(CniCode.INTERNAL, sentence, home.hint(call, attach.host()));
        };
    }

    /// What an ADD would come to now. Nothing is written and nothing is watched.
    ///
    /// @param node whose agent would be called
    /// @throws CniException if the call cannot be understood
    public static AddExplanation explain(AgentContext context, String node, KubernetesFacts kubernetes, CniCall call) {
        Registrar<BlockView, BlockChange> registrar =
                context.registrar(new CalicoBook(context.store(), context.clock()));
        var decision =
                registrar.explain(request(new AttachRequests(registrar, node, kubernetes).attach(call, context.now())));
        return switch (decision.outcome()) {
            case AttachResult.Granted granted ->
                AddExplanation.giving(
                        granted.leases().stream().map(AssignedAddress::address).toList(), decision);
            case AttachResult.Refused(var sentence) -> AddExplanation.refusing(sentence, decision);
        };
    }

    private static Request<BlockView, BlockChange, AttachResult> request(AttachRequest attach) {
        return new Request<>(
                "cni add %s on %s".formatted(attach.owner().id().text(), attach.host()),
                (view, lost) -> BlockEngine.attach(view, attach.after(lost)));
    }

    private void takeBack(AttachmentId id, String handle, List<AssignedAddress> leases) {
        var options = leases.stream()
                .map(lease -> ReleaseOption.of(lease.address().toString()).withHandle(handle))
                .toList();
        enact(
                "cni add %s: take back".formatted(id.text()),
                view -> BlockEngine.release(view, options, Attempts.first(context.now())));
    }

    // ---- DEL and GC ----

    private void del(CniCall call) {
        var config = CalicoIpamConfig.read(call.config(), call.args());
        var id = AttachRequests.id(call);
        var handles = Stream.concat(Stream.of(id.handle()), legacyHandle(id, config).stream())
                .filter(AttachRequests::fits)
                .toList();
        var request =
                switch (requests.owner(call, config)) {
                    case AddressOwner.Container _ -> new DetachRequest.OfContainer(id, handles, context.now());
                    case AddressOwner.OfMachine of ->
                        new DetachRequest.OfMachine(id, handles, of.handle(), of.pod(), of.leaving(), context.now());
                };
        whileOpen(() -> release("cni del " + id.text(), request));
    }

    /// What old releases of Calico gave addresses by.
    private static Optional<String> legacyHandle(AttachmentId id, CalicoIpamConfig config) {
        var handle = config.orchestrator() == Orchestrator.K8S
                ? "%s.%s".formatted(config.namespace(), config.pod())
                : id.containerId();
        return Optional.of(handle).filter(text -> text.indexOf('/') < 0);
    }

    private DetachResult release(String words, DetachRequest request) {
        var result = enact(words, view -> BlockEngine.detach(view, request));
        if (result instanceof DetachResult.Refused(var sentence)) {
            throw new CniException(CniCode.INTERNAL, sentence);
        }
        return result;
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

    private DetachResult release(Stale stale) {
        var id = stale.id();
        var now = context.now();
        return release(
                "cni gc " + id.text(),
                stale.handle().equals(id.handle())
                        ? new DetachRequest.OfContainer(id, List.of(stale.handle()), now)
                        : new DetachRequest.OfMachine(
                                id, List.of(), stale.handle(), new Expectation.Pod("", ""), false, now));
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
        var id = AttachRequests.id(call);
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
        for (var family : AttachRequests.families(config)) {
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
                .filter(AttachRequests::fits)
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
            throw new CniException(CniCode.PLUGIN_NOT_AVAILABLE, ClusterGate.NOT_READY);
        }
    }

    // ---- the store ----

    private <O> O enact(String words, Function<BlockView, Decision<BlockChange, O>> law) {
        return registrar.enact(new Request<>(words, law));
    }

    private <O> O whileOpen(Supplier<O> work) {
        return answered(() -> {
            gate.requireOpen();
            return work.get();
        });
    }
}
