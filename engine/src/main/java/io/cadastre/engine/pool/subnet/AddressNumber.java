package io.cadastre.engine.pool.subnet;

/// How many addresses the pool of an application is to have.
public sealed interface AddressNumber {

    String ANNOTATION = "ipam.spidernet.io/ippool-ip-number";

    /// This number, however many replicas there are.
    record Fixed(int count) implements AddressNumber {}

    /// This number more than replicas.
    record Flexible(int more) implements AddressNumber {}

    /// As many more than replicas as is set for the cluster.
    record Unset() implements AddressNumber {}

    /// Reads `5` or `+1`. What stands before the `+` is ignored, as upstream does.
    ///
    /// @throws IllegalArgumentException naming the text and the rule it breaks
    static AddressNumber parse(String text) {
        int plus = text.indexOf('+');
        if (plus >= 0 && text.indexOf('+', plus + 1) >= 0) {
            throw new IllegalArgumentException(invalid(text));
        }
        int number;
        try {
            number = Integer.parseInt(text.substring(plus + 1));
        } catch (NumberFormatException notNumber) {
            throw new IllegalArgumentException(invalid(text), notNumber);
        }
        if (number < 0) {
            throw new IllegalArgumentException(
                    "subnet '%s' value must equal or greater than 0, not %s".formatted(ANNOTATION, text));
        }
        return plus < 0 ? new Fixed(number) : new Flexible(number);
    }

    private static String invalid(String text) {
        return "invalid input '%s' of annotation '%s': write a number such as 5, or +1 for one more than replicas"
                .formatted(text, ANNOTATION);
    }

    /// The number for an application. This one formula counts for those who make a pool and for those who wait for it.
    ///
    /// @param replicas 0 where they are unknown
    /// @param redundancy how many more than replicas there are where nothing is asked for
    default long count(long replicas, int redundancy) {
        return switch (this) {
            case Fixed(var count) -> count;
            case Flexible(var more) -> replicas + more;
            case Unset _ -> replicas + redundancy;
        };
    }

    /// As it is written on the pool.
    ///
    /// @param redundancy as for the count
    default String text(int redundancy) {
        return switch (this) {
            case Fixed(var count) -> Integer.toString(count);
            case Flexible(var more) -> "+" + more;
            case Unset _ -> "+" + redundancy;
        };
    }
}
