package io.cadastre.wire.spiderpool.multus;

import io.cadastre.datastore.Document;
import java.util.List;

/// A SpiderMultusConfig and what may be its NetworkAttachmentDefinition.
///
/// @param namespace of both
/// @param name of the SpiderMultusConfig
/// @param config it, if it is there
/// @param attachments the one of the name that it asks for, if that is there; without the SpiderMultusConfig all of the
///     namespace, where the store does not delete what belonged to it
public record AttachmentView(String namespace, String name, List<Document> config, List<Document> attachments) {

    public AttachmentView {
        config = List.copyOf(config);
        attachments = List.copyOf(attachments);
    }
}
