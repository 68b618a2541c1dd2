package io.cadastre.agent.spiderpool;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniJson;
import io.cadastre.wire.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// An answer of HTTP/1.1 on a connection that ends with it. A body is JSON.
record HttpAnswer(int status, Bytes body) {

    /// Done, and nothing to say.
    static final HttpAnswer DONE = new HttpAnswer(200, Bytes.of(new byte[0]));

    /// What Spiderpool's agent writes ends with a line.
    static HttpAnswer of(Bytes json) {
        return new HttpAnswer(200, Bytes.ofUtf8(json.utf8() + "\n"));
    }

    /// A sentence as a text in JSON.
    static HttpAnswer saying(int status, String sentence) {
        return new HttpAnswer(
                status, Bytes.ofUtf8(CniJson.compact(Json.emptyObject().textNode(sentence)) + "\n"));
    }

    /// A fault that the handler of a request never sees.
    ///
    /// @param code finer than the status, for some faults
    static HttpAnswer fault(int status, int code, String message) {
        return new HttpAnswer(
                status,
                Bytes.ofUtf8(
                        CniJson.compact(Json.emptyObject().put("code", code).put("message", message))));
    }

    byte[] encode() {
        var head = "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
                .formatted(status, status == 200 ? "OK" : "Failure", body.size())
                .getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(head.length + body.size())
                .put(head)
                .put(body.toByteArray())
                .array();
    }
}
