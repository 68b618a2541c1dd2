package io.cadastre.engine.pool.subnet;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What a pool is made for, by its name: a Deployment, or whatever else has pods.
///
/// @param apiVersion the group, a slash and the version; the core group has the version alone
public record OwnerApplication(String apiVersion, String kind, String namespace, String name)
        implements Comparable<OwnerApplication> {

    private static final Comparator<OwnerApplication> ORDER = Comparator.comparing(OwnerApplication::text);

    private static final String DIVIDER = "_";

    /// The parts of a text without a group, and with one.
    private static final List<Integer> PARTS = List.of(4, 5);

    /// Reads what [#text()] writes; empty if it is something else.
    public static Optional<OwnerApplication> parse(String text) {
        var parts = Arrays.asList(text.split(DIVIDER, -1));
        if (!PARTS.contains(parts.size()) || parts.contains("")) {
            return Optional.empty();
        }
        int kind = parts.size() - 3;
        return Optional.of(new OwnerApplication(
                String.join("/", parts.subList(0, kind)), parts.get(kind), parts.get(kind + 1), parts.get(kind + 2)));
    }

    /// Group and version as labels have them.
    public String groupVersion() {
        return apiVersion.replace("/", DIVIDER);
    }

    /// As the status of a subnet names it.
    public String text() {
        return String.join(DIVIDER, groupVersion(), kind, namespace, name);
    }

    /// The group; empty for the core group.
    public String group() {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }

    public String version() {
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    /// As sentences name it.
    @Override
    public String toString() {
        return "%s %s/%s".formatted(kind, namespace, name);
    }

    @Override
    public int compareTo(OwnerApplication other) {
        return ORDER.compare(this, other);
    }
}
