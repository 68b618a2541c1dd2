package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.selector.SelectorText;
import java.util.List;
import java.util.Map;

/// A range of addresses, and which requests may use it for what. It is cut into blocks as they are
/// needed.
///
/// @param cidr masked, whatever the document says
/// @param blockLength the prefix length of its blocks
/// @param standing whether anything new may be taken from it
/// @param nodeSelector which nodes may use it
/// @param namespaceSelector pods of which namespaces may use it
public record IpPool(
        String name,
        Prefix cidr,
        int blockLength,
        Mode standing,
        SelectorText nodeSelector,
        SelectorText namespaceSelector,
        List<AddressUse> allowedUses,
        AssignmentMode assignmentMode) {

    /// The uses of a pool whose document does not state them.
    public static final List<AddressUse> ALLOWED_USES_DEFAULT = List.of(AddressUse.WORKLOAD, AddressUse.TUNNEL);

    private static final int BLOCK_BITS_DEFAULT = 6;

    private static final SelectorText EVERYTHING = SelectorText.of("all()");

    /// Whether anything new may be taken from a pool. What was taken before stays.
    public enum Mode {
        ENABLED("enabled"),
        DISABLED("disabled"),
        DELETING("being deleted"),
        NOT_ALLOCATABLE("marked as not allocatable");

        private final String words;

        Mode(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /// Whether a pool serves requests that do not name it.
    public enum AssignmentMode {
        AUTOMATIC,
        MANUAL
    }

    public IpPool {
        allowedUses = List.copyOf(allowedUses);
        if (blockLength < 0 || blockLength > cidr.family().bits()) {
            throw new IllegalArgumentException("pool %s cannot have blocks of /%d".formatted(name, blockLength));
        }
        if (cidr.family().bits() - blockLength > Block.HOST_BITS_MAX) {
            throw new IllegalArgumentException("blocks of /%d of pool %s are larger than %d addresses"
                    .formatted(blockLength, name, Block.SIZE_MAX));
        }
    }

    /// An enabled pool for every node and namespace, with blocks of 64 addresses.
    public static IpPool of(String name, Prefix cidr) {
        return new IpPool(
                name,
                cidr,
                cidr.family().bits() - BLOCK_BITS_DEFAULT,
                Mode.ENABLED,
                EVERYTHING,
                EVERYTHING,
                ALLOWED_USES_DEFAULT,
                AssignmentMode.AUTOMATIC);
    }

    public Family family() {
        return cidr.family();
    }

    public boolean enabled() {
        return standing == Mode.ENABLED;
    }

    public boolean allows(AddressUse use) {
        return allowedUses.contains(use);
    }

    /// The block that has the address.
    public Prefix block(Address address) {
        return Prefix.containing(address, blockLength);
    }

    /// Whether the pool is known to exclude the node. A selector that cannot be read excludes no node.
    public boolean deselects(Map<String, String> nodeLabels) {
        return nodeSelector instanceof SelectorText.Parsed parsed
                && !parsed.selector().matches(nodeLabels);
    }

    public IpPool withBlockLength(int length) {
        return new IpPool(name, cidr, length, standing, nodeSelector, namespaceSelector, allowedUses, assignmentMode);
    }

    public IpPool withStanding(Mode other) {
        return new IpPool(name, cidr, blockLength, other, nodeSelector, namespaceSelector, allowedUses, assignmentMode);
    }

    public IpPool withNodeSelector(String text) {
        return new IpPool(
                name,
                cidr,
                blockLength,
                standing,
                SelectorText.of(text),
                namespaceSelector,
                allowedUses,
                assignmentMode);
    }

    public IpPool withNamespaceSelector(String text) {
        return new IpPool(
                name, cidr, blockLength, standing, nodeSelector, SelectorText.of(text), allowedUses, assignmentMode);
    }

    public IpPool withAllowedUses(List<AddressUse> uses) {
        return new IpPool(name, cidr, blockLength, standing, nodeSelector, namespaceSelector, uses, assignmentMode);
    }

    public IpPool withAssignmentMode(AssignmentMode mode) {
        return new IpPool(name, cidr, blockLength, standing, nodeSelector, namespaceSelector, allowedUses, mode);
    }
}
