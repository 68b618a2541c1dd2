package io.cadastre.engine.block;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// What is to be said of the active or the alternate owner of an address.
public sealed interface OwnerUpdate {

    /// Nothing new.
    record Keep() implements OwnerUpdate {}

    /// There is none.
    record Clear() implements OwnerUpdate {}

    /// It is this one.
    record Set(SortedMap<String, String> attributes) implements OwnerUpdate {
        public Set {
            attributes = Collections.unmodifiableSortedMap(new TreeMap<>(attributes));
        }
    }

    /// What must be so before an owner is changed. It is not looked at if the owner is not changed.
    sealed interface Expectation {

        /// Anything.
        record Anything() implements Expectation {}

        /// There is none.
        record NoOwner() implements Expectation {}

        /// It is this pod.
        record Pod(String namespace, String name) implements Expectation {

            /// The attributes that identify the pod of an owner.
            public static Pod of(SortedMap<String, String> attributes) {
                return new Pod(attributes.getOrDefault("namespace", ""), attributes.getOrDefault("pod", ""));
            }
        }

        default boolean holds(SortedMap<String, String> attributes) {
            return switch (this) {
                case Anything _ -> true;
                case NoOwner _ -> attributes.isEmpty();
                case Pod pod -> !attributes.isEmpty() && pod.equals(Pod.of(attributes));
            };
        }
    }
}
