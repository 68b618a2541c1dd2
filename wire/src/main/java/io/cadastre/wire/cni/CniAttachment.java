package io.cadastre.wire.cni;

/// One interface of one container.
public record CniAttachment(String containerId, String ifname) {}
