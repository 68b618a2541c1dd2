package io.cadastre.cloud.google;

/// The configuration of the cloud cannot be used. The message names the file, and the line and the key if there are
/// any.
public final class CloudConfigException extends RuntimeException {

    private static final long serialVersionUID = 1;

    CloudConfigException(String message) {
        super(message);
    }

    static CloudConfigException at(String file, int line, String fault) {
        return new CloudConfigException("%s, line %d: %s".formatted(file, line, fault));
    }
}
