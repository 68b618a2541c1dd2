package io.cadastre.engine.block.assign;

import io.cadastre.address.Address;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockView;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A held address, and what its block records about it.
///
/// @param sequence the number at which it was given
public record HeldAddress(AssignedAddress lease, Held held, long sequence) {

    /// All that a handle holds, according to the blocks that it names. A damaged block does not show who
    /// holds what.
    public static List<HeldAddress> of(BlockView view, String handle) {
        return view.findHandle(handle).stream()
                .flatMap(found -> found.counts().keySet().stream())
                .flatMap(cidr -> view.findBlock(cidr).stream())
                .filter(block -> !block.damaged())
                .flatMap(HeldAddress::in)
                .filter(held -> held.held().cleanHandle().equals(handle))
                .toList();
    }

    /// All held addresses of a block.
    public static Stream<HeldAddress> in(Block block) {
        return IntStream.range(0, block.size())
                .boxed()
                .flatMap(ordinal -> block.attribute(ordinal).stream()
                        .flatMap(attribute -> attribute instanceof Held held ? Stream.of(held) : Stream.empty())
                        .map(held -> new HeldAddress(
                                new AssignedAddress(block.address(ordinal), block.cidr()),
                                held,
                                block.sequenceOf(ordinal))));
    }

    public Address address() {
        return lease.address();
    }

    /// Whether its block records that it is for another interface.
    public boolean isForAnotherThan(AttachmentId id) {
        return AttachmentId.find(held).filter(other -> !other.equals(id)).isPresent();
    }
}
