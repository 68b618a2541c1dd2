package io.cadastre.agent.calico;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Keys;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.BlockHoldings;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import java.util.Optional;
import java.util.SortedMap;

/// What an address is for: one interface of one container in one network. None of the three names has a
/// slash.
record AttachmentId(String network, String containerId, String ifname) {

    /// The attribute that says it. Calico ignores attributes that it does not know.
    static final String ATTRIBUTE = BlockHoldings.ATTACHMENT;

    private static final int NAMES = 3;

    static AttachmentId of(CniCall call) {
        return new AttachmentId(call.config().name(), call.containerId(), call.ifname());
    }

    /// What an address is for; empty if the process that wrote it did not record it.
    static Optional<AttachmentId> find(Held held) {
        return find(held.owner());
    }

    /// Which attachment one of the two owners of an address is; empty if it does not say.
    static Optional<AttachmentId> find(SortedMap<String, String> owner) {
        var names = owner.getOrDefault(ATTRIBUTE, "").split("/", -1);
        return names.length == NAMES ? Optional.of(new AttachmentId(names[0], names[1], names[2])) : Optional.empty();
    }

    /// What all addresses of the container in the network are released by. It names no interface.
    String handle() {
        return network + "." + containerId;
    }

    /// Whether a store may have a document of the handle. Nothing is ever given by one that does not fit.
    static boolean fits(String handle) {
        return Keys.fits(new CalicoKey.OfHandle(handle).text());
    }

    /// @throws CniException if the handle does not fit into a store
    AttachmentId requireFitting() {
        if (!fits(handle())) {
            throw new CniException(
                    CniCode.INVALID_ENVIRONMENT,
                    ("CNI_CONTAINERID has %d characters and the network's name %d: together they"
                                    + " name a document of the store, whose key has at most %d bytes")
                            .formatted(containerId.length(), network.length(), Datastore.KEY_BYTES_MAX),
                    "use a shorter name");
        }
        return this;
    }

    /// The value of the attribute.
    String text() {
        return String.join("/", network, containerId, ifname);
    }
}
