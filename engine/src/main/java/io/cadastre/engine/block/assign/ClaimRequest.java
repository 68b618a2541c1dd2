package io.cadastre.engine.block.assign;

import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Owner;
import java.time.Instant;

/// A request for all blocks of a prefix.
public record ClaimRequest(Prefix cidr, Owner owner, Instant now) {}
