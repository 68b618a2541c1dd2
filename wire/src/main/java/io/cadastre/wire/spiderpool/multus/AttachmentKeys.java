package io.cadastre.wire.spiderpool.multus;

/// Where NetworkAttachmentDefinitions lie in a store.
public final class AttachmentKeys {

    static final String API_VERSION = "k8s.cni.cncf.io/v1";

    /// Their keys are this, the namespace, a slash and the name.
    public static final String ATTACHMENTS = "/cadastre/apis/" + API_VERSION + "/network-attachment-definitions/";

    private AttachmentKeys() {}

    static String of(String namespace, String name) {
        return ATTACHMENTS + namespace + "/" + name;
    }
}
