package io.cadastre.linux;

import java.util.List;
import java.util.Optional;

/// The addresses of the links of one namespace.
public final class LinkAddresses {

    private final Conversation conversation;

    LinkAddresses(Conversation conversation) {
        this.conversation = conversation;
    }

    /// Gives a link an address.
    ///
    /// @throws LinuxException with `EEXIST` if the link has it already, with `ENODEV` if there is no such
    ///     link
    public void add(LinkAddress address) {
        conversation.ask("add address " + address, AddressMessages.add(address));
    }

    /// Takes an address from a link.
    ///
    /// @throws LinuxException with `EADDRNOTAVAIL` if the link does not have it
    public void delete(LinkAddress address) {
        conversation.ask("delete address " + address, AddressMessages.delete(address));
    }

    public List<LinkAddress> list() {
        return list("list addresses", AddressMessages.all());
    }

    /// The addresses of one link; none if there is no such link.
    public List<LinkAddress> ofLink(int linkIndex) {
        try {
            return list("list addresses of link " + linkIndex, AddressMessages.ofLink(linkIndex)).stream()
                    // An older kernel reports all links, whatever it is asked.
                    .filter(address -> address.linkIndex() == linkIndex)
                    .toList();
        } catch (LinuxException failure) {
            if (failure.errno() == Errno.ENODEV) {
                return List.of();
            }
            throw failure;
        }
    }

    private List<LinkAddress> list(String operation, NetlinkRequest request) {
        return conversation.dump(operation, request).stream()
                .map(AddressMessages::read)
                .flatMap(Optional::stream)
                .toList();
    }
}
