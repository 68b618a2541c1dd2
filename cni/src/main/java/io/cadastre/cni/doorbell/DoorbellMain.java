package io.cadastre.cni.doorbell;

import java.io.IOException;
import java.nio.file.Path;

/// The process that a stub starts where there is no program in C.
public final class DoorbellMain {

    private DoorbellMain() {}

    /// The first argument is the file as which the plugin was called.
    public static void main(String[] arguments) throws IOException {
        var answer = Doorbell.ringAs(Path.of(arguments[0]), System.getenv(), System.in);
        System.out.write(answer.stdout().toByteArray());
        System.out.flush();
        System.err.write(answer.stderr().toByteArray());
        System.err.flush();
        System.exit(answer.exitCode());
    }
}
