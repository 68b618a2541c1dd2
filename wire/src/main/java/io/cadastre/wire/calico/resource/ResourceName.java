package io.cadastre.wire.calico.resource;

import java.util.Optional;
import java.util.regex.Pattern;

/// What resources are called.
final class ResourceName {

    private static final int CHARACTERS_MAX = 253;

    private static final Pattern WELL_FORMED =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private ResourceName() {}

    /// What is wrong with a name, if anything is.
    static Optional<ResourceFault> fault(String name) {
        if (name.isEmpty()) {
            return Optional.of(ResourceFault.of("Metadata.Name", "field must be set for a Create request"));
        }
        if (name.length() > CHARACTERS_MAX || !WELL_FORMED.matcher(name).matches()) {
            return Optional.of(new ResourceFault(
                    "Metadata.Name",
                    name,
                    "name must consist of lower case alphanumeric characters, '-' or '.'"
                            + " (regex: %s) and have at most %d characters"
                                    .formatted(WELL_FORMED.pattern(), CHARACTERS_MAX)));
        }
        return Optional.empty();
    }
}
