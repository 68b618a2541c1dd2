package io.cadastre.wire.cni;

import java.io.IOException;

/// What somebody sent, or wants to send, is no frame or too large for one.
public final class FrameException extends IOException {

    private static final long serialVersionUID = 1;

    FrameException(String message) {
        super(message);
    }
}
