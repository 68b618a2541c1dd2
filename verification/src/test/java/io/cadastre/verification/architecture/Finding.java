package io.cadastre.verification.architecture;

/// Something untidy: where it is, and what to do about it.
///
/// @param file the file, from the root of the tree
/// @param line counted from one
record Finding(String file, int line, String fault) {

    @Override
    public String toString() {
        return "%s:%d: %s".formatted(file, line, fault);
    }
}
