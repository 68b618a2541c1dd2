package io.cadastre.engine.block.assign;

import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Handle;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The requester of addresses.
///
/// @param handle what they can be released by; empty if by nothing
/// @param attributes of their future user
/// @param sharing whether an attribute that says the same may be shared. Calico does not share one if
///     it was given an empty set of attributes.
public record Requester(String handle, SortedMap<String, String> attributes, Sharing sharing) {

    public static final Requester ANONYMOUS = new Requester("", Collections.emptySortedMap(), Sharing.SHARED);

    public enum Sharing {
        SHARED,
        SEPARATE
    }

    public Requester {
        if (handle.indexOf('/') >= 0) {
            throw new IllegalArgumentException("a handle must not contain a slash: '%s'".formatted(handle));
        }
        handle = Attribute.clean(handle);
        attributes = Collections.unmodifiableSortedMap(new TreeMap<>(attributes));
    }

    /// A requester with these attributes, which may be empty.
    public static Requester of(String handle, SortedMap<String, String> attributes) {
        return new Requester(handle, attributes, attributes.isEmpty() ? Sharing.SEPARATE : Sharing.SHARED);
    }

    /// A requester of which only the handle is known.
    public static Requester of(String handle) {
        return new Requester(handle, Collections.emptySortedMap(), Sharing.SHARED);
    }

    public boolean hasHandle() {
        return !handle.isEmpty();
    }

    Optional<Handle> findHandle(BlockView view) {
        return hasHandle() ? view.findHandle(handle) : Optional.empty();
    }

    public Attribute.Held attribute() {
        return Attribute.Held.by(handle, attributes);
    }
}
