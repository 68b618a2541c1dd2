package io.cadastre.linux;

import io.cadastre.address.Family;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// The routes of one namespace, of all tables.
public final class Routes {

    private final Conversation conversation;

    Routes(Conversation conversation) {
        this.conversation = conversation;
    }

    /// Adds a route where there is none yet.
    ///
    /// @throws LinuxException with `EEXIST` if there is a route to the same destination with the same
    ///     priority, with `ENETUNREACH` if there is no route to the gateway, with `ENETDOWN` if the link is
    ///     down
    public void add(Route route) {
        conversation.ask("add route to " + route, RouteMessages.add(route));
    }

    /// Adds a route in the place of the one to the same destination with the same priority, if there is
    /// one.
    public void replace(Route route) {
        conversation.ask("replace route to " + route, RouteMessages.replace(route));
    }

    /// Deletes the route with this destination, link, next hop, table and, unless zero, priority.
    ///
    /// @throws LinuxException with `ESRCH` if there is none
    public void delete(Route route) {
        conversation.ask("delete route to " + route, RouteMessages.delete(route));
    }

    public List<Route> list() {
        return Arrays.stream(Family.values())
                .flatMap(family -> list(family).stream())
                .toList();
    }

    public List<Route> list(Family family) {
        return list("list %s routes".formatted(family), RouteMessages.all(family))
                .toList();
    }

    /// The routes that leave by one link.
    public List<Route> ofLink(int linkIndex) {
        return Arrays.stream(Family.values())
                .flatMap(family -> list(
                        "list %s routes of link %d".formatted(family, linkIndex),
                        RouteMessages.ofLink(family, linkIndex)))
                // An older kernel reports all links, whatever it is asked.
                .filter(route -> route.linkIndex() == linkIndex)
                .toList();
    }

    private Stream<Route> list(String operation, NetlinkRequest request) {
        return conversation.dump(operation, request).stream().flatMap(payload -> RouteMessages.read(payload).stream());
    }
}
