package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import java.util.List;
import java.util.Optional;

/// All that this law may look at.
///
/// A view may not have read everything. Every question throws [io.cadastre.engine.NotReadException] if
/// its answer depends on something that has not been read, except where it says that only what is known
/// counts.
public interface BlockView {

    /// What is configured, or the default if nothing is.
    IpamConfig config();

    /// All pools, also those that nothing may be taken from, in the order of their names.
    List<IpPool> pools();

    Reservations reservations();

    Optional<Node> findNode(String name);

    /// The owner's affinities of one family in the order of [Affinity#key(Prefix)].
    List<Affinity> affinitiesOf(Owner owner, Family family);

    Optional<Affinity> findAffinity(Owner owner, Prefix cidr);

    /// All affinities of all owners.
    List<Affinity> affinities();

    Optional<Block> findBlock(Prefix cidr);

    /// Whether nothing was free in the block when it was last read, and this view has not read it
    /// since. By now it may have something to give.
    boolean lastSeenFull(Prefix cidr);

    /// All blocks of the family, in the order of [Affinity#key(Prefix)].
    List<Block> blocks(Family family);

    /// The block that has the address, whether or not it is where a pool would have it.
    Optional<Block> findBlockAround(Address address);

    /// The first block, from this address to the end of the pool, that may have an address to give. It
    /// may turn out that all of them are reserved or still cool.
    Optional<Block> findOpenBlock(IpPool pool, Address from);

    /// The first block, from this address to the end of the pool, in which no address is held except by
    /// Windows. Some may still cool.
    Optional<Block> findHollowBlock(IpPool pool, Address from);

    /// The blocks of the family that name the owner, whether or not it keeps affinities to them.
    List<Block> blocksOf(Owner owner, Family family);

    /// The blocks that the owner is known to have. There may be others that have not been read.
    List<Block> knownBlocksOf(Owner owner, Family family);

    /// The first place of a block between two addresses where none is known to be. There may be one
    /// that has not been read: creating a block there finds out.
    Optional<Prefix> findUnclaimed(IpPool pool, Address from, Address to);

    /// A known block that overlaps the one with this prefix without being it.
    Optional<Prefix> findKnownRival(Prefix cidr);

    Optional<Handle> findHandle(String id);

    List<Handle> handles();

    /// Whether there is the record that old releases kept of a host.
    boolean hasHostRecord(String host);

    /// This view as if the change had been written.
    BlockView with(BlockChange change);
}
