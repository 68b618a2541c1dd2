package io.cadastre.engine.block.release;

import io.cadastre.engine.block.Attribute;
/// An address to be released, and on which conditions.
///
/// @param address as it was written; it may not be an address
/// @param handle the handle that must hold it; empty if any may

public record ReleaseOption(String address, String handle, SequenceCheck sequence) {

    public static ReleaseOption of(String address) {
        return new ReleaseOption(address, "", new SequenceCheck.Any());
    }

    public ReleaseOption withHandle(String other) {
        return new ReleaseOption(address, other, sequence);
    }

    public ReleaseOption withSequence(long number) {
        return new ReleaseOption(address, handle, new SequenceCheck.Exactly(number));
    }

    ReleaseOption clean() {
        return withHandle(Attribute.clean(handle));
    }

    /// The option as Calico prints it.
    @Override
    public String toString() {
        return "{Address:%s Handle:%s SequenceNumber:%s}"
                .formatted(
                        address,
                        handle,
                        switch (sequence) {
                            case SequenceCheck.Any _ -> "<nil>";
                            case SequenceCheck.Exactly(var number) -> Long.toUnsignedString(number);
                        });
    }
}
