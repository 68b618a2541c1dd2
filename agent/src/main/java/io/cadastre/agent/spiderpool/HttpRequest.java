package io.cadastre.agent.spiderpool;

import io.cadastre.agent.spiderpool.HttpMessage.Framing;
import io.cadastre.datastore.Bytes;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// A request of HTTP/1.1, as far as a server needs it that answers once on each connection.
///
/// @param path without the query
/// @param query the parameters after the path; of one that is given twice, the first
/// @param body empty if there is none
record HttpRequest(String method, String path, SortedMap<String, String> query, Bytes body) {

    /// More than the names of all pools that a form may have.
    private static final int BODY_BYTES_MAX = 1024 * 1024;

    private static final Pattern REQUEST_LINE = Pattern.compile("([A-Z]{1,16}) (/[!-~]*) HTTP/1\\.[01]");

    HttpRequest {
        query = Collections.unmodifiableSortedMap(new TreeMap<>(query));
    }

    /// Reads a request, and nothing after it.
    ///
    /// @throws EOFException if it ends before its end
    /// @throws ProtocolException if it is not a request, or larger than any should be
    static HttpRequest read(InputStream in) throws IOException {
        var line = HttpMessage.readLine(in);
        var matcher = REQUEST_LINE.matcher(line);
        if (!matcher.matches()) {
            throw new ProtocolException("'%s' is not an HTTP/1.1 request line".formatted(HttpMessage.shown(line)));
        }
        var body = readBody(in);
        var target = matcher.group(2).split("\\?", 2);
        return new HttpRequest(matcher.group(1), target[0], query(target.length > 1 ? target[1] : ""), body);
    }

    /// What follows the last piece of a body is read too: the kernel reports a broken connection to a caller if
    /// anything is left when the connection is closed.
    private static Bytes readBody(InputStream in) throws IOException {
        var framing = HttpMessage.readHeaders(in);
        return switch (framing) {
            case Framing.UntilClosed _ -> Bytes.of(new byte[0]);
            case Framing.Counted _ -> HttpMessage.readBody(in, framing, BODY_BYTES_MAX);
            case Framing.Chunked _ -> {
                var body = HttpMessage.readBody(in, framing, BODY_BYTES_MAX);
                HttpMessage.readHeaders(in);
                yield body;
            }
        };
    }

    private static SortedMap<String, String> query(String text) throws ProtocolException {
        var query = new TreeMap<String, String>();
        try {
            for (var parameter : text.split("&", -1)) {
                var parts = parameter.split("=", 2);
                query.putIfAbsent(decoded(parts[0]), parts.length > 1 ? decoded(parts[1]) : "");
            }
            return query;
        } catch (IllegalArgumentException malformed) {
            var broken = new ProtocolException("'%s' is not a query".formatted(HttpMessage.shown(text)));
            broken.initCause(malformed);
            throw broken;
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /// A parameter of the query that is not empty.
    Optional<String> find(String parameter) {
        return Optional.ofNullable(query.get(parameter)).filter(value -> !value.isEmpty());
    }
}
