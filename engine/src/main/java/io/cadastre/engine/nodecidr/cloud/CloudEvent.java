package io.cadastre.engine.nodecidr.cloud;

/// An event to be recorded on a node, of type `Normal`, as upstream records all of these.
///
/// @param component its `source.component`
public record CloudEvent(String component, String reason, String message) {

    /// The component that upstream's allocators name.
    static final String CIDR_ALLOCATOR = "cidrAllocator";

    /// The component that upstream's two synchronising modes name.
    static final String CLOUD_CIDR_ALLOCATOR = "cloudCIDRAllocator";

    static final String NOT_AVAILABLE = "CIDRNotAvailable";
    static final String ASSIGNMENT_FAILED = "CIDRAssignmentFailed";
    static final String INVALID_MODE = "CloudCIDRAllocatorInvalidMode";
    static final String MISMATCH = "CloudCIDRAllocatorMismatch";
    static final String INVALID_POD_CIDR = "CloudCIDRAllocatorInvalidPodCIDR";

    /// The event that a node could not be given what the cloud answered.
    public static CloudEvent assignmentFailed(String node) {
        return status(node, ASSIGNMENT_FAILED);
    }

    /// Whether it names its node by the name alone, and not by the uid.
    public boolean byNameAlone() {
        return component.equals(CLOUD_CIDR_ALLOCATOR);
    }

    static CloudEvent status(String node, String reason) {
        return new CloudEvent(CIDR_ALLOCATOR, reason, "Node %s status is now: %s".formatted(node, reason));
    }

    static CloudEvent sync(String reason, String message) {
        return new CloudEvent(CLOUD_CIDR_ALLOCATOR, reason, message);
    }
}
