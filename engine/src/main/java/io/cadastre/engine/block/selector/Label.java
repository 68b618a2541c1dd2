package io.cadastre.engine.block.selector;

/// What the name of a label may be made of.
final class Label {

    static final int LENGTH_MAX = 512;

    private Label() {}

    static boolean allows(char character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9')
                || "_./-".indexOf(character) >= 0;
    }

    static String checked(String label) {
        if (label.isEmpty()
                || label.length() > LENGTH_MAX
                || !label.chars().allMatch(character -> allows((char) character))) {
            throw new IllegalArgumentException("%s is not the name of a label".formatted(label));
        }
        return label;
    }
}
