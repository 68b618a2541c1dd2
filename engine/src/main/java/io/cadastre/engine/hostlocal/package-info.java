/// One address per range set, drawn on one node, the way the CNI plugin host-local does it.
///
/// **What there is.** A network has range sets ([RangeGroup]), and an attachment, which is a container
/// and one of its interfaces, gets one address of each. A set is a list of ranges of one family, each a
/// part of a subnet with a gateway ([SubnetRange]). What is not written is filled in: the gateway and
/// the start are the subnet's second address, the end is its last, which for IPv4 is the one before the
/// broadcast address. No two ranges overlap, in one set or in several. [HostLocalSetup] says what a
/// configuration comes to.
///
/// **What is used.** Whatever lies in the network's folder under the name of an address takes that
/// address, whatever it is. The content of the file names the holder: the container, and the interface;
/// older plugins wrote the container alone. Spaces around it do not count ([FolderEntry]).
///
/// **Which address is next.** The first free one after the set's last reserved address, through the
/// ranges in the order they are written and round to where it began, so that the last reserved address
/// itself comes last. A gateway is passed over in its own range and nowhere else. If nothing was reserved
/// yet, or what was does not lie in the set any more, the search begins at the start of the first range.
///
/// **A request by name** gets that address if it lies in a set, is not the gateway of its range and not
/// used, even if the holder has another one. A set gives one address, so the second one asked of a set
/// is left over, as is one that lies in no set; then all is refused.
///
/// **Asking twice** is refused and not answered again: a holder of an address of a set gets no other
/// one there unless it names it. This is the one place where we follow the reference against our own
/// law of asking twice; a runtime releases before it asks again.
///
/// **Refusing** changes nothing if the first set refuses. If an earlier set had an address to give, the
/// reference has written and released again by then: the last reserved addresses stay moved, and all that
/// the attachment held before is released too. So it is here, except that what is refused is never
/// written.
///
/// **Giving back** removes every file that names the attachment, whatever the file is called; only if
/// there is none, every file that names the container alone. If there is neither, that succeeds too.
/// **Checking** asks whether there is any such file. **Collecting** removes the files under the names
/// of addresses whose attachment is not among the valid ones; a file of the older form stays if any
/// interface of its container is valid. **Ready** is a network in which every set has a free address.
///
/// **Every stopping point is legal.** An address is reserved before it is noted as the last one; between
/// the two, the next search begins earlier and finds it used. An attachment with some of its addresses is
/// refused until it gives back, which it does with the same words whatever it holds.
///
/// What is matched, and where we differ and why: `docs/compat/host-local.md`.
@NullMarked
package io.cadastre.engine.hostlocal;

import org.jspecify.annotations.NullMarked;
