package io.cadastre.agent.spiderpool;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniJson;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.regex.Pattern;

/// An answer of HTTP/1.1, as far as a client needs it that asks once on each connection.
record HttpReply(int status, Bytes body) {

    private static final int BODY_BYTES_MAX = CniJson.BYTES_MAX;
    private static final int INTERIM_REPLIES_MAX = 8;

    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] ([1-9][0-9]{2})( .*)?");

    /// Reads an answer, and nothing after it.
    ///
    /// @throws EOFException if it ends before its end
    /// @throws ProtocolException if it is not an answer, or larger than any should be
    static HttpReply read(InputStream in) throws IOException {
        for (int reply = 0; reply <= INTERIM_REPLIES_MAX; reply++) {
            int status = readStatus(in);
            var framing = HttpMessage.readHeaders(in);
            if (status >= 200) {
                boolean bodiless = status == 204 || status == 304;
                return new HttpReply(
                        status, bodiless ? Bytes.of(new byte[0]) : HttpMessage.readBody(in, framing, BODY_BYTES_MAX));
            }
        }
        throw new ProtocolException("more than %d interim answers".formatted(INTERIM_REPLIES_MAX));
    }

    boolean succeeded() {
        return status == 200;
    }

    private static int readStatus(InputStream in) throws IOException {
        var line = HttpMessage.readLine(in);
        var matcher = STATUS_LINE.matcher(line);
        if (!matcher.matches()) {
            throw new ProtocolException("'%s' is not an HTTP/1.1 status line".formatted(HttpMessage.shown(line)));
        }
        return Integer.parseInt(matcher.group(1));
    }
}
