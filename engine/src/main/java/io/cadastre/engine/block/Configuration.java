package io.cadastre.engine.block;

/// What a request to configure came to.
public sealed interface Configuration {

    /// This is configured, newly or as before.
    record Configured(IpamConfig config) implements Configuration {}

    record Refused(BlockRefusal refusal) implements Configuration {}
}
