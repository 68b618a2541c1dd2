package io.cadastre.engine.block;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// In whose name addresses are asked for.
///
/// @param handle what they can be released by; empty if by nothing
/// @param attributes who will use them
/// @param sharing whether an attribute that says the same may be shared. Calico does not share one
///     if it was given attributes of which there are none.
public record Claimant(String handle, SortedMap<String, String> attributes, Sharing sharing) {

    public static final Claimant NOBODY =
            new Claimant("", Collections.emptySortedMap(), Sharing.SHARED);

    public enum Sharing {
        SHARED,
        SEPARATE
    }

    public Claimant {
        if (handle.indexOf('/') >= 0) {
            throw new IllegalArgumentException(
                    "a handle must not contain a slash: '%s'".formatted(handle));
        }
        handle = Attribute.clean(handle);
        attributes = Collections.unmodifiableSortedMap(new TreeMap<>(attributes));
    }

    /// Somebody with these attributes, of which there may be none.
    public static Claimant of(String handle, SortedMap<String, String> attributes) {
        return new Claimant(
                handle, attributes, attributes.isEmpty() ? Sharing.SEPARATE : Sharing.SHARED);
    }

    /// Somebody of whom only the handle is known.
    public static Claimant of(String handle) {
        return new Claimant(handle, Collections.emptySortedMap(), Sharing.SHARED);
    }

    public boolean hasHandle() {
        return !handle.isEmpty();
    }

    Attribute.Held attribute() {
        return Attribute.Held.by(handle, attributes);
    }
}
