package io.cadastre.wire.calico.resource;

/// What a request to delete or to disable a resource came to.
public sealed interface Removed {

    record Done() implements Removed {}

    record NotThere(String what) implements Removed {
        public String sentence() {
            return "resource does not exist: %s with error: <nil>".formatted(what);
        }
    }
}
