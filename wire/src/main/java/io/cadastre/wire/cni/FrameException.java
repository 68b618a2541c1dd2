package io.cadastre.wire.cni;

import java.io.IOException;

/// Data that was sent, or is to be sent, is not a frame or is too large for one.
public final class FrameException extends IOException {

    private static final long serialVersionUID = 1;

    FrameException(String message) {
        super(message);
    }
}
