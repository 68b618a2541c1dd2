package io.cadastre.wire.calico.resource;

import java.util.List;

/// What a request to store a resource came to.
public sealed interface Applied {

    record Created() implements Applied {}

    record Configured() implements Applied {}

    /// It was stored like this already.
    record Unchanged() implements Applied {}

    /// It breaks rules.
    record Invalid(List<ResourceFault> faults) implements Applied {
        public Invalid {
            faults = List.copyOf(faults);
        }
    }

    /// It was made from another revision than the stored one.
    record Outdated(String what) implements Applied {
        public String sentence() {
            return "update conflict: " + what;
        }
    }

    /// It was to be created and is there already.
    record AlreadyThere(String what) implements Applied {
        public String sentence() {
            return "resource already exists: %s with error: <nil>".formatted(what);
        }
    }
}
