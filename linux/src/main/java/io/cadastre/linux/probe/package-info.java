/// Which host on a link answers for an address: ARP for IPv4, neighbour discovery for IPv6.
@NullMarked
package io.cadastre.linux.probe;

import org.jspecify.annotations.NullMarked;
