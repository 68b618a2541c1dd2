package io.cadastre.linux;

import io.cadastre.address.Address;
import java.util.List;
import java.util.Optional;

/// The neighbours of one namespace: what ARP and NDP found out, and what was written by hand.
public final class Neighbours {

    private final Conversation conversation;

    Neighbours(Conversation conversation) {
        this.conversation = conversation;
    }

    /// Writes an entry, in the place of the one for the same address if there is one.
    public void put(Neighbour neighbour) {
        conversation.ask(
                "write neighbour %s of link %d".formatted(neighbour.address(), neighbour.linkIndex()),
                NeighbourMessages.put(neighbour));
    }

    /// Deletes the entry for an address.
    ///
    /// @throws LinuxException with `ENOENT` if there is no such entry
    public void delete(int linkIndex, Address address) {
        conversation.ask(
                "delete neighbour %s of link %d".formatted(address, linkIndex),
                NeighbourMessages.delete(linkIndex, address));
    }

    public List<Neighbour> list() {
        return list("list neighbours", NeighbourMessages.all());
    }

    public List<Neighbour> ofLink(int linkIndex) {
        return list("list neighbours of link " + linkIndex, NeighbourMessages.ofLink(linkIndex)).stream()
                // An older kernel reports all links, whatever it is asked.
                .filter(neighbour -> neighbour.linkIndex() == linkIndex)
                .toList();
    }

    private List<Neighbour> list(String operation, NetlinkRequest request) {
        return conversation.dump(operation, request).stream()
                .map(NeighbourMessages::read)
                .flatMap(Optional::stream)
                .toList();
    }
}
