package io.cadastre.agent.hostlocal;

import io.cadastre.agent.AddExplanation;
import io.cadastre.agent.AgentHome;
import io.cadastre.agent.Plugin;
import io.cadastre.agent.Withdrawal;
import io.cadastre.agent.hostlocal.FolderLedger.AppendResult;
import io.cadastre.datastore.Journal;
import io.cadastre.engine.Decision;
import io.cadastre.engine.HolderFacts;
import io.cadastre.engine.hostlocal.HostLocalAllocation;
import io.cadastre.engine.hostlocal.HostLocalAttachment;
import io.cadastre.engine.hostlocal.HostLocalChange;
import io.cadastre.engine.hostlocal.HostLocalEngine;
import io.cadastre.engine.hostlocal.HostLocalRequest;
import io.cadastre.engine.hostlocal.HostLocalSetup;
import io.cadastre.engine.hostlocal.HostLocalView;
import io.cadastre.engine.hostlocal.LeasedAddress;
import io.cadastre.engine.hostlocal.PerFamily;
import io.cadastre.engine.hostlocal.Presence;
import io.cadastre.engine.hostlocal.RangeGroup;
import io.cadastre.engine.hostlocal.Readiness;
import io.cadastre.registry.Recorder;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniDns;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniIp;
import io.cadastre.wire.cni.CniPlugin;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.CniVersion;
import io.cadastre.wire.cni.HostLocalConfig;
import io.cadastre.wire.cni.InterfaceAddress;
import io.cadastre.wire.spiderpool.PodIdentity;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// The plugin host-local.
public final class HostLocal implements Plugin {

    private static final String ABOUT = "Cadastre's host-local: addresses of one node, kept in a folder";

    private static final String SEVERAL_PER_FAMILY_SINCE = "0.3.0";

    /// The ledger files an entry under its holder: the container's id and what stands around it.
    private static final int CONTAINER_ID_CHARACTERS_MAX = Journal.NAME_BYTES_MAX - 64;

    private final LeaseFolders folders;
    private final FolderLedger ledger;
    private final AgentHome home;

    /// @param lockMax how long a call waits for the lock of a network, which another plugin may hold
    /// @param ledger records what is reserved and released
    public HostLocal(Duration lockMax, Recorder ledger, InstantSource clock, AgentHome home) {
        this.folders = new LeaseFolders(lockMax);
        this.ledger = new FolderLedger(ledger, clock);
        this.home = home;
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

    /// The plugin for callers whose answers are known to arrive.
    public CniPlugin plugin() {
        return forCall(new Withdrawal());
    }

    private CniResult add(CniCall call, Withdrawal withdrawal) throws InterruptedException {
        var config = HostLocalConfig.read(call.config(), call.args());
        var request = request(call, config);
        var dns = dns(config);
        var folder = folder(config.dataDir(), config.network());
        var words = words(call);
        var holder = holder(call);
        var done = perform(words, holder, folder, view -> HostLocalEngine.allocate(view, request));
        if (done.fate() != AppendResult.WRITTEN) {
            // The caller is answered that it failed, so nothing must be left.
            if (done.outcome() instanceof HostLocalAllocation.Allocated(var leases)) {
                takeBack(words, holder, folder, request.attachment(), leases);
            }
            throw untold(done.fate());
        }
        return switch (done.outcome()) {
            case HostLocalAllocation.Allocated(var leases) -> {
                withdrawal.add(() -> takeBack(words, holder, folder, request.attachment(), leases));
                yield CniResult.ofAddresses(leases.stream().map(HostLocal::ip).toList(), config.routes(), dns);
            }
            case HostLocalAllocation.Refused(var refusal) ->
                throw new CniException(CniCode.INTERNAL, refusal.sentence(), home.hint(call, home.node()));
        };
    }

    private static HostLocalRequest request(CniCall call, HostLocalConfig config) {
        return new HostLocalRequest(fitting(attachment(call)), groups(config), config.requested());
    }

    /// What an ADD would come to now. Nothing is written and no folder is made.
    ///
    /// @param lockMax how long to wait for the lock of the network
    /// @throws CniException if the call cannot be understood, or the folder cannot be read
    public static AddExplanation explain(Duration lockMax, CniCall call) throws InterruptedException {
        var config = HostLocalConfig.read(call.config(), call.args());
        var request = request(call, config);
        dns(config);
        var view = new LeaseFolders(lockMax).look(folder(config.dataDir(), config.network()));
        var decision = HostLocalEngine.allocate(view, request);
        return switch (decision.outcome()) {
            case HostLocalAllocation.Allocated(var leases) ->
                AddExplanation.giving(
                        leases.stream().map(LeasedAddress::address).toList(), decision);
            case HostLocalAllocation.Refused(var refusal) -> AddExplanation.refusing(refusal.sentence(), decision);
        };
    }

    private void takeBack(
            String words, HolderFacts holder, Path folder, HostLocalAttachment attachment, List<LeasedAddress> leases) {
        try {
            change(words + ": take back", holder, folder, view -> HostLocalEngine.withdraw(view, attachment, leases));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(
                    "stopped while releasing the addresses of %s".formatted(attachment), interrupted);
        }
    }

    /// Only the place in the configuration counts: another fault in it does not prevent a release.
    private void del(CniCall call) throws InterruptedException {
        decide(call, folder(call), view -> HostLocalEngine.release(view, attachment(call)));
    }

    private void check(CniCall call) throws InterruptedException {
        var config = HostLocalConfig.read(call.config(), call.args());
        groups(config);
        var presence = decide(
                call,
                folder(config.dataDir(), config.network()),
                view -> HostLocalEngine.check(view, attachment(call)));
        if (presence instanceof Presence.Missing missing) {
            throw new CniException(CniCode.INTERNAL, missing.sentence());
        }
    }

    private void collect(CniCall call) throws InterruptedException {
        var listed = call.config().validAttachments();
        if (listed.isEmpty()) {
            return;
        }
        var valid = listed.get().attachments().stream()
                .map(one -> new HostLocalAttachment(one.containerId(), one.ifname()))
                .toList();
        decide(call, folder(call), view -> HostLocalEngine.collect(view, valid));
    }

    private void status(CniCall call) throws InterruptedException {
        var config = HostLocalConfig.read(call.config(), call.args());
        var groups = groups(config);
        var folder = folder(config.dataDir(), config.network());
        if (readiness(call, folder, groups) instanceof Readiness.Full full) {
            throw new CniException(CniCode.PLUGIN_NOT_AVAILABLE, full.sentence());
        }
    }

    private Readiness readiness(CniCall call, Path folder, List<RangeGroup> groups) throws InterruptedException {
        try {
            return decide(call, folder, view -> HostLocalEngine.status(view, groups));
        } catch (CniException failure) {
            throw new CniException(
                    CniError.of(CniCode.PLUGIN_NOT_AVAILABLE, failure.error().msg()), failure);
        }
    }

    /// What a call resulted in, and whether it is recorded.
    private record Done<T>(T outcome, AppendResult fate) {}

    private <T> T decide(CniCall call, Path path, Function<HostLocalView, Decision<HostLocalChange, T>> law)
            throws InterruptedException {
        var done = perform(words(call), holder(call), path, law);
        if (done.fate() != AppendResult.WRITTEN) {
            throw untold(done.fate());
        }
        return done.outcome();
    }

    private <T> Done<T> perform(
            String words, HolderFacts holder, Path path, Function<HostLocalView, Decision<HostLocalChange, T>> law)
            throws InterruptedException {
        ledger.settle();
        return change(words, holder, path, law);
    }

    private <T> Done<T> change(
            String words, HolderFacts holder, Path path, Function<HostLocalView, Decision<HostLocalChange, T>> law)
            throws InterruptedException {
        return folders.use(
                path,
                folder -> {
                    var decision = law.apply(folder.read());
                    folder.write(decision.changes());
                    return decision;
                },
                decision -> new Done<>(decision.outcome(), ledger.note(words, holder, decision)));
    }

    private static CniException untold(AppendResult fate) {
        return fate == AppendResult.OWED
                ? FolderLedger.failed("the next call records what was done")
                : new CniException(
                        CniCode.INTERNAL,
                        "the ledger entry of this call is too large",
                        "released addresses stay released; configure fewer range sets");
    }

    /// A reservation whose holder the ledger could not name is not made.
    private static HostLocalAttachment fitting(HostLocalAttachment attachment) {
        int length = attachment.containerId().length();
        if (length > CONTAINER_ID_CHARACTERS_MAX) {
            throw new CniException(
                    CniCode.INVALID_ENVIRONMENT,
                    "CNI_CONTAINERID has %d characters; the ledger names holders of at most %d"
                            .formatted(length, CONTAINER_ID_CHARACTERS_MAX),
                    "use a shorter one");
        }
        return attachment;
    }

    /// The text that the ledger records.
    private static String words(CniCall call) {
        var verb = call.verb().name().toLowerCase(Locale.ROOT);
        var network = call.config().name();
        return call.containerId().isEmpty()
                ? "cni %s %s by host-local".formatted(verb, network)
                : "cni %s %s/%s/%s by host-local".formatted(verb, network, call.containerId(), call.ifname());
    }

    /// What the call says about its holder. One that collects is for several holders.
    private HolderFacts holder(CniCall call) {
        var pod = PodIdentity.readable(call.args());
        return HolderFacts.ofPod(pod.namespace(), pod.name()).withUid(pod.uid()).withNode(home.node());
    }

    private static HostLocalAttachment attachment(CniCall call) {
        return new HostLocalAttachment(call.containerId(), call.ifname());
    }

    private static Path folder(CniCall call) {
        return folder(HostLocalConfig.dataDir(call.config()), call.config().name());
    }

    private static Path folder(String dataDir, String network) {
        return absolute("dataDir", dataDir).resolve(network);
    }

    /// The plugin's process has a working folder that the agent does not know.
    private static Path absolute(String member, String text) {
        try {
            var path = Path.of(text);
            if (path.isAbsolute()) {
                return path.normalize();
            }
        } catch (InvalidPathException _) {
            // It is reported like any other path that is not absolute.
        }
        throw new CniException(
                CniCode.INVALID_NETWORK_CONFIG, "ipam.%s: %s is not an absolute path".formatted(member, text));
    }

    private static CniDns dns(HostLocalConfig config) {
        if (config.resolvConf().isEmpty()) {
            return CniDns.NONE;
        }
        try {
            return ResolvConf.load(absolute("resolvConf", config.resolvConf()));
        } catch (IOException unreadable) {
            throw LeaseFolders.failed(unreadable);
        }
    }

    private static CniIp ip(LeasedAddress lease) {
        return CniIp.of(new InterfaceAddress(lease.address(), lease.length())).withGateway(lease.gateway());
    }

    private static List<RangeGroup> groups(HostLocalConfig config) {
        return switch (HostLocalSetup.from(config.rangeSets(), perFamily(config.writtenVersion()))) {
            case HostLocalSetup.Configured(var groups) -> groups;
            case HostLocalSetup.Rejected(var sentence) -> throw new CniException(CniCode.INTERNAL, sentence);
        };
    }

    private static PerFamily perFamily(String writtenVersion) {
        return CniVersion.atLeast(writtenVersion, SEVERAL_PER_FAMILY_SINCE)
                ? new PerFamily.Any()
                : new PerFamily.One(writtenVersion);
    }
}
