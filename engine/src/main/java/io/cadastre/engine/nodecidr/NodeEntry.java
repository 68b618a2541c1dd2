package io.cadastre.engine.nodecidr;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.SloppyText;
import java.util.List;
import java.util.Optional;

/// A node as far as this law looks at it.
///
/// @param podCidrs its CIDRs as they are stored, in their stored order and spelling
/// @param terminating whether its deletion has begun; it holds what it holds until it is gone
/// @param uid distinguishes it from another node that has or had the same name; empty if it has none
public record NodeEntry(String name, List<String> podCidrs, boolean terminating, String uid) {

    private static final int IPV4_MAPPED_LENGTH = 96;

    public NodeEntry {
        podCidrs = List.copyOf(podCidrs);
    }

    /// A node without a uid.
    public NodeEntry(String name, List<String> podCidrs, boolean terminating) {
        this(name, podCidrs, terminating, "");
    }

    /// A node that is here to stay.
    public static NodeEntry of(String name, List<String> podCidrs) {
        return new NodeEntry(name, podCidrs, false);
    }

    NodeEntry withCidrs(List<Prefix> cidrs) {
        return new NodeEntry(name, cidrs.stream().map(Prefix::toString).toList(), terminating, uid);
    }

    NodeEntry withUid(String newUid) {
        return new NodeEntry(name, podCidrs, terminating, newUid);
    }

    /// Its CIDRs, without those that cannot be read.
    public List<Prefix> prefixes() {
        return podCidrs.stream().map(NodeEntry::read).flatMap(Optional::stream).toList();
    }

    /// Reads a CIDR the way Kubernetes does. One in IPv4-mapped form is the IPv4 one it stands for,
    /// since to a pod they are the same addresses.
    static Optional<Prefix> read(String text) {
        return SloppyText.parsePrefix(text).map(NodeEntry::unmapped);
    }

    private static Prefix unmapped(Prefix prefix) {
        return prefix.ipv4Mapped()
                ? new Prefix(Address.ipv4((int) prefix.address().low()), prefix.length() - IPV4_MAPPED_LENGTH)
                : prefix;
    }
}
