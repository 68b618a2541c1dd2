package io.cadastre.agent.calico;

import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.OwnerRequest;
import io.cadastre.engine.block.OwnerUpdate;
import io.cadastre.engine.block.OwnerUpdate.Expectation;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// In whose name an interface has its addresses.
sealed interface AddressOwner {

    AttachmentId id();

    /// What the addresses are released by.
    String handle();

    /// Whether an address of the handle is the interface's.
    boolean holds(HeldAddress held);

    /// Whether another pod uses the address until this one takes over.
    boolean shares(HeldAddress held);

    /// What is to be said about an address that it has already, if that is something new.
    Optional<OwnerRequest> takeOver(HeldAddress held, SortedMap<String, String> attributes, Instant now);

    /// What its addresses say beside what all say.
    SortedMap<String, String> attributes();

    /// As a cluster with this configuration sees it.
    AddressOwner under(IpamConfig config);

    /// The container, as is usual.
    record Container(AttachmentId id) implements AddressOwner {

        @Override
        public String handle() {
            return id.handle();
        }

        @Override
        public boolean holds(HeldAddress held) {
            return held.isFor(id);
        }

        @Override
        public boolean shares(HeldAddress held) {
            return false;
        }

        @Override
        public Optional<OwnerRequest> takeOver(HeldAddress held, SortedMap<String, String> attributes, Instant now) {
            return Optional.empty();
        }

        @Override
        public SortedMap<String, String> attributes() {
            return new TreeMap<>();
        }

        @Override
        public AddressOwner under(IpamConfig config) {
            return this;
        }
    }

    /// The virtual machine that runs in the container.
    record OfMachine(AttachmentId id, Expectation.Pod pod, VirtualMachine machine) implements AddressOwner {

        @Override
        public String handle() {
            return VirtualMachineHandle.of(id.network(), pod.namespace(), machine.name());
        }

        /// A pod that the machine has moved to is still called the target of that move.
        @Override
        public boolean shares(HeldAddress held) {
            var owner = held.held().owner();
            return machine.arriving() && !owner.isEmpty() && !pod.holds(owner);
        }

        /// Whichever container of the machine had it. An address of another interface is not taken
        /// over: both may be in use.
        @Override
        public boolean holds(HeldAddress held) {
            return attachments(held.held()).allMatch(other -> other.ifname().equals(id.ifname()));
        }

        /// While the machine moves, two containers have its address: the one that runs it is the active
        /// owner, the one that it moves to the alternate.
        @Override
        public Optional<OwnerRequest> takeOver(HeldAddress held, SortedMap<String, String> attributes, Instant now) {
            boolean alternate = shares(held);
            var said = alternate ? held.held().alternate() : held.held().owner();
            if (AttachmentId.find(said).filter(id::equals).isPresent()) {
                return Optional.empty();
            }
            var mine = OwnerRequest.Side.of(new OwnerUpdate.Set(attributes));
            return Optional.of(new OwnerRequest(
                    held.address(),
                    handle(),
                    alternate ? OwnerRequest.Side.KEEP : mine,
                    alternate ? mine : OwnerRequest.Side.KEEP,
                    now));
        }

        @Override
        public SortedMap<String, String> attributes() {
            return machine.attributes();
        }

        /// Where addresses do not stay with machines, it is a container like any other.
        @Override
        public AddressOwner under(IpamConfig config) {
            return config.persistence() == IpamConfig.Persistence.DISABLED ? new Container(id) : this;
        }

        private static Stream<AttachmentId> attachments(Held held) {
            return Stream.of(held.owner(), held.alternate())
                    .flatMap(attributes -> AttachmentId.find(attributes).stream());
        }
    }
}
