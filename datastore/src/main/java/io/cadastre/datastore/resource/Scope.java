package io.cadastre.datastore.resource;

/// A collection of objects, or those of it that a selector chooses.
///
/// @param namespace empty for all namespaces
/// @param labelSelector empty for all objects
public record Scope(ApiResource resource, String namespace, String labelSelector) {

    public Scope {
        if (!namespace.isEmpty() && resource.reach() == ApiResource.Reach.CLUSTER) {
            throw new IllegalArgumentException(
                    "%s have no namespaces, so not '%s' either".formatted(resource.plural(), namespace));
        }
    }

    /// All objects of a kind.
    public static Scope all(ApiResource resource) {
        return new Scope(resource, "", "");
    }
}
