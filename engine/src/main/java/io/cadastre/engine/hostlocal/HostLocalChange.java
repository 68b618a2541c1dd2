package io.cadastre.engine.hostlocal;

import io.cadastre.address.Address;
import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;
import java.util.List;

/// One write that this law asks for.
public sealed interface HostLocalChange extends Change {

    /// Makes the file of an address, where there must be none. Rivals conflict here.
    record Reserve(Address address, HostLocalAttachment attachment) implements HostLocalChange {
        @Override
        public String sentence() {
            return "reserve %s for %s of container %s"
                    .formatted(address, attachment.ifname(), attachment.containerId());
        }

        @Override
        public List<Holding> granted() {
            return HostLocalHoldings.of(FolderEntry.of(address, attachment));
        }

        @Override
        public List<Holding> returned() {
            return List.of();
        }
    }

    /// Writes down which address of a range set was reserved last.
    record NoteLast(int set, Address address) implements HostLocalChange {
        @Override
        public String sentence() {
            return "note %s as the last reserved of range set %d".formatted(address, set);
        }

        @Override
        public List<Holding> granted() {
            return List.of();
        }

        @Override
        public List<Holding> returned() {
            return List.of();
        }
    }

    /// Removes a file.
    record Delete(FolderEntry entry) implements HostLocalChange {
        @Override
        public String sentence() {
            return "remove " + entry.path();
        }

        @Override
        public List<Holding> granted() {
            return List.of();
        }

        @Override
        public List<Holding> returned() {
            return HostLocalHoldings.of(entry);
        }
    }
}
