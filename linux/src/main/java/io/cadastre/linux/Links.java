package io.cadastre.linux;

import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/// The links of one namespace. A link is named by its index, which does not change when it is renamed.
///
/// Every change throws a [LinuxException] with `ENODEV` if there is no such link.
public final class Links {

    private final Conversation conversation;

    Links(Conversation conversation) {
        this.conversation = conversation;
    }

    /// The link of this name.
    ///
    /// @throws LinuxException with `ERANGE` if no link can have such a name
    public Optional<Link> find(String name) {
        return find("find link " + Quote.of(name), LinkMessages.byName(name));
    }

    public Optional<Link> find(int index) {
        return find("find link " + index, LinkMessages.byIndex(index));
    }

    public List<Link> list() {
        return conversation.dump("list links", LinkMessages.all()).stream()
                .map(LinkMessages::read)
                .toList();
    }

    /// Creates a pair of connected links: one here, its peer in another namespace, both down.
    ///
    /// @throws LinuxException with `EEXIST` if either name is taken, with `ERANGE` if one has more than 15
    ///     bytes; nothing is created then
    public void createVeth(VethEnd here, VethEnd peer, Namespace peerNamespace) {
        create(
                "create link " + words(here, peer, peerNamespace),
                peerNamespace,
                number -> LinkMessages.createVeth(here, peer, number));
    }

    /// Creates a pair of connected links as a netkit device: the primary one here, its peer in another
    /// namespace, both down and with Ethernet addresses.
    ///
    /// @throws LinuxException with `EOPNOTSUPP` if the kernel has no such devices, with `EEXIST` if either
    ///     name is taken, with `ERANGE` if one has more than 15 bytes; nothing is created then
    public void createNetkit(VethEnd here, VethEnd peer, Namespace peerNamespace) {
        create(
                "create netkit " + words(here, peer, peerNamespace),
                peerNamespace,
                number -> LinkMessages.createNetkit(here, peer, number));
    }

    private static String words(VethEnd here, VethEnd peer, Namespace peerNamespace) {
        return "%s with its peer %s in namespace %s"
                .formatted(Quote.of(here.name()), Quote.of(peer.name()), Quote.of(peerNamespace.path()));
    }

    private void create(String operation, Namespace peerNamespace, IntFunction<NetlinkRequest> request) {
        peerNamespace.descriptor().use(number -> conversation.ask(operation, request.apply(number)));
    }

    public void setUp(int index) {
        conversation.ask("set link %d up".formatted(index), LinkMessages.up(index));
    }

    public void setDown(int index) {
        conversation.ask("set link %d down".formatted(index), LinkMessages.down(index));
    }

    /// Gives a link another hardware address.
    ///
    /// @throws LinuxException with `EADDRNOTAVAIL` if it is the address of a group
    public void setMac(int index, MacAddress mac) {
        conversation.ask("set the MAC of link %d to %s".formatted(index, mac), LinkMessages.mac(index, mac));
    }

    public void setMtu(int index, int mtu) {
        conversation.ask("set the MTU of link %d to %d".formatted(index, mtu), LinkMessages.mtu(index, mtu));
    }

    /// Older kernels rename a link only while it is down, and answer `EBUSY` otherwise.
    public void rename(int index, String name) {
        conversation.ask("rename link %d to %s".formatted(index, Quote.of(name)), LinkMessages.rename(index, name));
    }

    /// Moves a link to another namespace, where it is down and may have another index.
    public void move(int index, Namespace namespace) {
        namespace
                .descriptor()
                .use(number -> conversation.ask(
                        "move link %d to namespace %s".formatted(index, Quote.of(namespace.path())),
                        LinkMessages.move(index, number)));
    }

    /// Deletes a link. One end of a veth pair takes the other with it.
    public void delete(int index) {
        conversation.ask("delete link %d".formatted(index), LinkMessages.delete(index));
    }

    private Optional<Link> find(String operation, NetlinkRequest request) {
        try {
            return conversation.ask(operation, request).stream()
                    .map(LinkMessages::read)
                    .findFirst();
        } catch (LinuxException failure) {
            if (failure.errno() == Errno.ENODEV) {
                return Optional.empty();
            }
            throw failure;
        }
    }
}
