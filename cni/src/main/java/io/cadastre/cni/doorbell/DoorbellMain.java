package io.cadastre.cni.doorbell;

import java.io.IOException;
import java.nio.file.Path;

/// The process that a stub starts where there is no program in C.
public final class DoorbellMain {

    private DoorbellMain() {}

    /// Is told as which file the plugin was called.
    public static void main(String[] arguments) throws IOException {
        System.exit(Doorbell.run(Path.of(arguments[0]), System.getenv(), System.in));
    }
}
