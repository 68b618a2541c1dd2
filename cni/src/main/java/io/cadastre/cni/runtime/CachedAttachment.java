package io.cadastre.cni.runtime;

import io.cadastre.datastore.Bytes;

/// An attachment that was made and not yet taken back.
///
/// @param config the list of plugins that made it
public record CachedAttachment(String network, Bytes config, AttachmentRequest request) {}
