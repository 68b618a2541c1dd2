package io.cadastre.wire.kubernetes.clustercidr;

import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.ApiResource.Reach;
import io.cadastre.datastore.resource.ApiResource.Removal;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidr;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrRules;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrSpec;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The API groups that have ClusterCIDRs. An object of one is not an object of the other, though their fields are the
/// same.
public enum ClusterCidrGroup {

    /// That of the CustomResourceDefinition, beside which `node-ipam-controller` runs.
    CUSTOM("networking.x-k8s.io", "v1"),

    /// That of Kubernetes 1.25 to 1.28 itself.
    IN_TREE("networking.k8s.io", "v1alpha1");

    public static final String KIND = "ClusterCIDR";
    public static final String PLURAL = "clustercidrs";

    private final String group;
    private final String version;

    ClusterCidrGroup(String group, String version) {
        this.group = group;
        this.version = version;
    }

    /// The group whose keys begin like this one.
    public static Optional<ClusterCidrGroup> ofKey(String key) {
        return Stream.of(values()).filter(group -> key.startsWith(group.keys())).findFirst();
    }

    public String group() {
        return group;
    }

    public String apiVersion() {
        return group + "/" + version;
    }

    /// What the keys of its objects begin with; the name follows.
    public String keys() {
        return "/cadastre/apis/%s/%s/".formatted(apiVersion(), PLURAL);
    }

    public String key(String name) {
        return keys() + name;
    }

    /// What keeps an object until no node has anything of it.
    public String finalizer() {
        return group + "/cluster-cidr-finalizer";
    }

    public ApiResource resource() {
        return new ApiResource(group, version, PLURAL, KIND, Reach.CLUSTER, Removal.AT_ONCE);
    }

    /// What the API server of the group says of a new object.
    List<String> broken(ClusterCidr created) {
        return switch (this) {
            case CUSTOM -> ClusterCidrRules.brokenCustom(created);
            case IN_TREE -> ClusterCidrRules.brokenInTree(created);
        };
    }

    /// The faults of a changed object: for both groups in the words of the first, which name the field.
    List<String> broken(ClusterCidrSpec before, ClusterCidrSpec after) {
        return ClusterCidrRules.brokenInTree(before, after);
    }
}
