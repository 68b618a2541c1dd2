package io.cadastre.engine.block;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;
import java.util.List;
import java.util.Optional;

/// One write that this law asks for: of one document.
public sealed interface BlockChange extends Change {

    /// The document that it writes.
    BlockItem<?> item();

    @Override
    default List<Holding> granted() {
        return List.of();
    }

    @Override
    default List<Holding> returned() {
        return List.of();
    }

    /// Creates or rewrites an affinity.
    record PutAffinity(Affinity affinity) implements BlockChange {
        @Override
        public BlockItem.OfAffinity item() {
            return BlockItem.of(affinity);
        }

        @Override
        public String sentence() {
            return "note that block %s is %s for %s"
                    .formatted(affinity.cidr(), affinity.state().word(), affinity.owner());
        }
    }

    record DropAffinity(Owner owner, Prefix cidr) implements BlockChange {
        @Override
        public BlockItem.OfAffinity item() {
            return new BlockItem.OfAffinity(owner, cidr);
        }

        @Override
        public String sentence() {
            return "drop the affinity of %s for block %s".formatted(owner, cidr);
        }
    }

    /// Writes a block.
    sealed interface PutBlock extends BlockChange {

        /// The block as it was; empty if there was none.
        Optional<Block> before();

        Block after();

        @Override
        default BlockItem.OfBlock item() {
            return BlockItem.of(after());
        }

        @Override
        default List<Holding> granted() {
            return BlockHoldings.gained(before(), Optional.of(after()));
        }

        @Override
        default List<Holding> returned() {
            return BlockHoldings.gained(Optional.of(after()), before());
        }
    }

    /// Creates a block. Rivals for the same block conflict here.
    record CreateBlock(Block after) implements PutBlock {
        @Override
        public Optional<Block> before() {
            return Optional.empty();
        }

        @Override
        public String sentence() {
            return "create block %s for %s"
                    .formatted(after.cidr(), after.owner().map(Owner::toString).orElse("no owner"));
        }
    }

    /// Rewrites a block that is as it was seen.
    record UpdateBlock(Block seen, Block after) implements PutBlock {

        public UpdateBlock {
            if (!seen.cidr().equals(after.cidr())) {
                throw new IllegalArgumentException("%s cannot become %s".formatted(seen.cidr(), after.cidr()));
            }
            if (after.sequence() != seen.sequence() + 1) {
                throw new IllegalArgumentException("the number after %s is not %s"
                        .formatted(Long.toUnsignedString(seen.sequence()), Long.toUnsignedString(after.sequence())));
            }
        }

        @Override
        public Optional<Block> before() {
            return Optional.of(seen);
        }

        @Override
        public String sentence() {
            return "rewrite block %s: %d of %d addresses are free"
                    .formatted(after.cidr(), after.freeCount(), after.size());
        }
    }

    record DropBlock(Block seen) implements BlockChange {
        @Override
        public BlockItem.OfBlock item() {
            return BlockItem.of(seen);
        }

        @Override
        public String sentence() {
            return "delete block %s".formatted(seen.cidr());
        }

        @Override
        public List<Holding> returned() {
            return BlockHoldings.gained(Optional.empty(), Optional.of(seen));
        }
    }

    /// Creates or rewrites a handle.
    record PutHandle(Handle handle) implements BlockChange {
        @Override
        public BlockItem.OfHandle item() {
            return BlockItem.of(handle);
        }

        @Override
        public String sentence() {
            return "note that handle %s has addresses in %s".formatted(handle.id(), handle.counts());
        }
    }

    record DropHandle(String id) implements BlockChange {
        @Override
        public BlockItem.OfHandle item() {
            return new BlockItem.OfHandle(id);
        }

        @Override
        public String sentence() {
            return "drop handle %s".formatted(id);
        }
    }

    record PutConfig(IpamConfig config) implements BlockChange {
        @Override
        public BlockItem.OfConfig item() {
            return new BlockItem.OfConfig();
        }

        @Override
        public String sentence() {
            return "configure %s".formatted(config);
        }
    }

    /// Drops the record that old releases kept of a host.
    record DropHostRecord(String host) implements BlockChange {
        @Override
        public BlockItem.OfHostRecord item() {
            return new BlockItem.OfHostRecord(host);
        }

        @Override
        public String sentence() {
            return "drop the record of host %s".formatted(host);
        }
    }
}
