package io.cadastre.wire.calico.resource;

import java.util.List;

/// A field that breaks a rule.
///
/// @param value what it says; empty if that is not reported
public record ResourceFault(String field, String value, String reason) {

    static ResourceFault of(String field, String reason) {
        return new ResourceFault(field, "", reason);
    }

    /// A rule that concerns more than one field.
    static ResourceFault ofSpec(String reason) {
        return of("spec", reason);
    }

    /// What is wrong, in Calico's words.
    public static String text(List<ResourceFault> faults) {
        if (faults.size() == 1) {
            return "error with field " + faults.getFirst();
        }
        var text = new StringBuilder("error with the following fields:\n");
        faults.forEach(fault -> text.append("-  ").append(fault).append('\n'));
        return text.toString();
    }

    @Override
    public String toString() {
        return value.isEmpty() ? "%s (%s)".formatted(field, reason) : "%s = '%s' (%s)".formatted(field, value, reason);
    }
}
