package io.cadastre.engine.block.assign;

import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.OwnerRequest;
import io.cadastre.engine.block.OwnerUpdate;
import io.cadastre.engine.block.OwnerUpdate.Expectation;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The owner of an interface's addresses: its container, or the virtual machine that runs in the container.
public sealed interface AddressOwner {

    AttachmentId id();

    /// The handle that releases the addresses.
    String handle();

    /// Whether an address of the handle is the interface's.
    boolean holds(HeldAddress held);

    /// Whether another pod uses the address until this one takes over.
    default boolean shares(HeldAddress held) {
        return false;
    }

    /// The change to an address that it holds already, by which this interface becomes the user; empty if it is.
    default Optional<OwnerRequest> takeOver(HeldAddress held, SortedMap<String, String> user, Instant now) {
        return Optional.empty();
    }

    /// The attributes of its addresses beside those that all have.
    default SortedMap<String, String> attributes() {
        return Collections.emptySortedMap();
    }

    /// The owner in a cluster with this configuration.
    default AddressOwner under(IpamConfig config) {
        return this;
    }

    record Container(AttachmentId id) implements AddressOwner {

        @Override
        public String handle() {
            return id.handle();
        }

        @Override
        public boolean holds(HeldAddress held) {
            return id.isNamedBy(held.held().owner());
        }
    }

    /// A virtual machine, which keeps its addresses while containers come and go.
    ///
    /// @param pod that runs it, or is going to
    /// @param arriving whether another pod still runs it and this one is to
    /// @param leaving whether the machine is being deleted, and not only restarted
    record OfMachine(
            AttachmentId id,
            Expectation.Pod pod,
            String handle,
            SortedMap<String, String> attributes,
            boolean arriving,
            boolean leaving)
            implements AddressOwner {

        public OfMachine {
            attributes = Collections.unmodifiableSortedMap(new TreeMap<>(attributes));
        }

        /// A pod that the machine has moved to is still called the target of that move.
        @Override
        public boolean shares(HeldAddress held) {
            var owner = held.held().owner();
            return arriving && !owner.isEmpty() && !pod.holds(owner);
        }

        /// Any container of the machine may have been the user. An address of another interface is not taken
        /// over: both may be in use.
        @Override
        public boolean holds(HeldAddress held) {
            return Stream.of(held.held().owner(), held.held().alternate())
                    .flatMap(owner -> AttachmentId.find(owner).stream())
                    .allMatch(other -> other.ifname().equals(id.ifname()));
        }

        /// While the machine moves, two containers have its address: the one that runs it is the active
        /// owner, the one that it moves to the alternate.
        @Override
        public Optional<OwnerRequest> takeOver(HeldAddress held, SortedMap<String, String> user, Instant now) {
            boolean alternate = shares(held);
            if (id.isNamedBy(alternate ? held.held().alternate() : held.held().owner())) {
                return Optional.empty();
            }
            var mine = OwnerRequest.Side.of(new OwnerUpdate.Set(user));
            return Optional.of(new OwnerRequest(
                    held.address(),
                    handle,
                    alternate ? OwnerRequest.Side.KEEP : mine,
                    alternate ? mine : OwnerRequest.Side.KEEP,
                    now));
        }

        /// Where addresses do not stay with machines, it is a container like any other.
        @Override
        public AddressOwner under(IpamConfig config) {
            return config.persistence() == IpamConfig.Persistence.DISABLED ? new Container(id) : this;
        }
    }
}
