package io.cadastre.cli;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A stream to a reader that may stop reading.
///
/// A reader that has gone, as in `cadastre history | head`, is not a failure: the rest is discarded.
/// Anything else, such as a full disk, is kept to be reported, since `PrintStream` would hide it.
final class Output extends FilterOutputStream {

    private @Nullable String failure;

    Output(OutputStream target) {
        super(new BufferedOutputStream(target));
    }

    Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public void write(int single) throws IOException {
        write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException failed) {
            keep(failed);
            throw failed;
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException failed) {
            keep(failed);
            throw failed;
        }
    }

    private void keep(IOException failed) {
        var words = String.valueOf(failed.getMessage());
        if (!words.equals("Broken pipe")) {
            failure = words;
        }
    }
}
