package io.cadastre.engine.block;

import io.cadastre.address.Prefix;
import java.time.Instant;

/// A request for all blocks of a prefix.
public record ClaimRequest(Prefix cidr, Owner owner, Instant now) {}
