package io.cadastre.address;

/// The strict text form of ranges: `first-last`, a strict prefix, or a single strict address.
final class RangeText {

    private RangeText() {}

    static Range parse(String text) {
        if (text.indexOf('/') >= 0) {
            return PrefixText.parse(text).range();
        }
        try {
            int dash = text.indexOf('-');
            return dash < 0
                    ? Range.of(AddressText.read(text))
                    : read(text.substring(0, dash), text.substring(dash + 1));
        } catch (Malformed malformed) {
            throw new IllegalArgumentException("'%s' is not a range: %s".formatted(text, malformed.rule()), malformed);
        }
    }

    private static Range read(String firstText, String lastText) throws Malformed {
        var first = AddressText.read(firstText);
        var last = AddressText.read(lastText);
        if (first.family() != last.family()) {
            throw new Malformed("its ends are of two families");
        }
        if (first.compareTo(last) > 0) {
            throw new Malformed("it ends before its start");
        }
        return new Range(first, last);
    }
}
