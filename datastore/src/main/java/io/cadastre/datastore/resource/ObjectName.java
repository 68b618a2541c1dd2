package io.cadastre.datastore.resource;

/// The name of one object.
///
/// @param namespace empty for an object of the cluster
public record ObjectName(ApiResource resource, String namespace, String name) {

    public ObjectName {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("an object of %s has a name".formatted(resource.qualifiedPlural()));
        }
        if (namespace.isEmpty() != (resource.reach() == ApiResource.Reach.CLUSTER)) {
            throw new IllegalArgumentException("%s '%s' in namespace '%s': objects of reach %s"
                    .formatted(resource.kind(), name, namespace, resource.reach()));
        }
    }
}
