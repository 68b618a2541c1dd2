package io.cadastre.controller;

import java.util.List;
import java.util.Optional;

/// Which control loops a controller runs, as kube-controller-manager's `--controllers` says it: `*` is all that are
/// on by default, `name` is that one, `-name` is not that one. The first entry that names a loop decides.
///
/// @param entries at least one
/// @param offByDefault those that run only if they are named
public record ChosenLoops(List<String> entries, List<String> offByDefault) {

    public ChosenLoops {
        entries = List.copyOf(entries);
        offByDefault = List.copyOf(offByDefault);
    }

    public boolean includes(String name) {
        return entries.stream()
                .filter(entry -> entry.equals(name) || entry.equals("-" + name))
                .findFirst()
                .map(entry -> entry.equals(name))
                .orElseGet(() -> entries.contains("*") && !offByDefault.contains(name));
    }

    /// Why they cannot be chosen among these loops.
    public Optional<String> fault(List<String> known) {
        var unknown = entries.stream()
                .filter(entry -> !entry.equals("*"))
                .map(entry -> entry.startsWith("-") ? entry.substring(1) : entry)
                .filter(name -> !known.contains(name))
                .findFirst();
        if (unknown.isPresent()) {
            return Optional.of("unknown controller '%s'; known controllers: %s"
                    .formatted(unknown.get(), String.join(", ", known)));
        }
        return known.stream().anyMatch(this::includes)
                ? Optional.empty()
                : Optional.of("no controller is chosen; known controllers: " + String.join(", ", known));
    }
}
