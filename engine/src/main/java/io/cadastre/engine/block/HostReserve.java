package io.cadastre.engine.block;

/// Addresses at both ends of each block that the host's operating system needs for itself.
public sealed interface HostReserve {

    /// None.
    record None() implements HostReserve {}

    /// A number of addresses at each end.
    ///
    /// @param first how many at the start of the block
    /// @param last how many at its end
    record Ends(int first, int last, String handle, String note) implements HostReserve {

        public Ends {
            if (first < 0 || last < 0) {
                throw new IllegalArgumentException("a host cannot reserve %d and %d addresses".formatted(first, last));
            }
        }

        public int count() {
            return first + last;
        }
    }
}
