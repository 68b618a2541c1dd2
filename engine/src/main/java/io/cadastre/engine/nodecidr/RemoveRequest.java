package io.cadastre.engine.nodecidr;

/// Asks that a node and what it holds be taken out of the register.
public record RemoveRequest(String node) {}
