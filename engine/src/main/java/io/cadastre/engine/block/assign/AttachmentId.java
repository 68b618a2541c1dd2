package io.cadastre.engine.block.assign;

import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.BlockHoldings;
import java.util.Optional;
import java.util.SortedMap;

/// One interface of one container in one network, which addresses are for. None of the three names has a slash.
public record AttachmentId(String network, String containerId, String ifname) {

    /// The attribute of an address that names it. Calico ignores attributes that it does not know.
    public static final String ATTRIBUTE = BlockHoldings.ATTACHMENT;

    private static final int NAMES = 3;

    /// The attachment that an address is for; empty if the process that wrote the address did not record it.
    public static Optional<AttachmentId> find(Held held) {
        return find(held.owner());
    }

    /// The attachment that one of the two owners of an address names; empty if it names none.
    public static Optional<AttachmentId> find(SortedMap<String, String> owner) {
        var names = owner.getOrDefault(ATTRIBUTE, "").split("/", -1);
        return names.length == NAMES ? Optional.of(new AttachmentId(names[0], names[1], names[2])) : Optional.empty();
    }

    /// Whether one of the two owners of an address names this attachment.
    public boolean isNamedBy(SortedMap<String, String> owner) {
        return find(owner).filter(this::equals).isPresent();
    }

    /// The handle that releases all addresses of the container in the network. It names no interface.
    public String handle() {
        return network + "." + containerId;
    }

    /// The value of the attribute.
    public String text() {
        return String.join("/", network, containerId, ifname);
    }
}
