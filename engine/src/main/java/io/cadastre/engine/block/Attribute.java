package io.cadastre.engine.block;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a block says about addresses that are not free. Several ordinals may share one.
public sealed interface Attribute {

    /// The handle of addresses that a Windows node keeps for itself. No handle document exists for it.
    String WINDOWS_HANDLE = "windows-reserved-ipam-handle";

    /// The addresses are held.
    ///
    /// @param handle what they can be released by; empty if by nothing
    /// @param owner the attributes of their user
    /// @param alternate the attributes of their next user, while a virtual machine moves
    record Held(String handle, SortedMap<String, String> owner, SortedMap<String, String> alternate)
            implements Attribute {

        public Held {
            owner = frozen(owner);
            alternate = frozen(alternate);
        }

        public static Held by(String handle, SortedMap<String, String> owner) {
            return new Held(handle, owner, Collections.emptySortedMap());
        }

        /// The handle in the form that is compared: what stands before the first carriage return. An
        /// old migration wrote handles with an interface name behind one.
        public String cleanHandle() {
            return clean(handle);
        }

        /// Whether a Windows node keeps the addresses for itself.
        public boolean keptByWindows() {
            return handle.equalsIgnoreCase(WINDOWS_HANDLE);
        }

        Held withOwner(SortedMap<String, String> other) {
            return new Held(handle, other, alternate);
        }

        Held withAlternate(SortedMap<String, String> other) {
            return new Held(handle, owner, other);
        }
    }

    /// The addresses were released and rest until they are cold. Then they are free again.
    record Cooling(Instant releasedAt) implements Attribute {}

    /// What stands before the first carriage return of a handle.
    static String clean(String handle) {
        int end = handle.indexOf('\r');
        return end < 0 ? handle : handle.substring(0, end);
    }

    private static SortedMap<String, String> frozen(SortedMap<String, String> map) {
        return map.isEmpty() ? Collections.emptySortedMap() : Collections.unmodifiableSortedMap(new TreeMap<>(map));
    }
}
