package io.cadastre.wire.kubernetes;

/// What the keys of Kubernetes' own objects begin with, in any store. What follows is the name; for kinds
/// that are in namespaces, the namespace, a slash and the name.
public final class CoreKeys {

    private static final String CORE = "/cadastre/api/v1/";

    public static final String NODES = CORE + "nodes/";

    public static final String NAMESPACES = CORE + "namespaces/";

    public static final String PODS = CORE + "pods/";

    public static final String EVENTS = CORE + "events/";

    public static final String LEASES = "/cadastre/apis/coordination.k8s.io/v1/leases/";

    public static final String SECRETS = CORE + "secrets/";

    private static final String ADMISSION = "/cadastre/apis/admissionregistration.k8s.io/v1/";

    public static final String MUTATING_WEBHOOKS = ADMISSION + "mutatingwebhookconfigurations/";

    public static final String VALIDATING_WEBHOOKS = ADMISSION + "validatingwebhookconfigurations/";

    private CoreKeys() {}
}
