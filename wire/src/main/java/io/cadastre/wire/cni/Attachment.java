package io.cadastre.wire.cni;

/// One interface of one container.
public record Attachment(String containerId, String ifname) {}
