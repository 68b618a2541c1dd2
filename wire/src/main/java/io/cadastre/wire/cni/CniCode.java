package io.cadastre.wire.cni;

/// The error codes that the protocol gives a meaning to. A plugin's own start at
/// [#PLUGIN_SPECIFIC_MIN].
public enum CniCode {
    UNKNOWN(0),
    INCOMPATIBLE_VERSION(1),
    UNSUPPORTED_FIELD(2),
    UNKNOWN_CONTAINER(3),
    INVALID_ENVIRONMENT(4),
    IO_FAILURE(5),
    DECODING_FAILURE(6),
    INVALID_NETWORK_CONFIG(7),
    INVALID_NETWORK_NAMESPACE(8),
    TRY_AGAIN_LATER(11),
    PLUGIN_NOT_AVAILABLE(50),
    LIMITED_CONNECTIVITY(51),
    INTERNAL(999);

    public static final long PLUGIN_SPECIFIC_MIN = 100;

    private final long number;

    CniCode(long number) {
        this.number = number;
    }

    public long number() {
        return number;
    }
}
