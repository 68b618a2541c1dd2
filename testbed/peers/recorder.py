"""A proxy on loopback before an API server: it records what a controller writes, byte for byte, and can spoil a write.

An audit log of the API server tells neither the content type nor the bytes of a request.
"""
import dataclasses
import http.client
import http.server
import re
import ssl
import threading
import time
import urllib.parse

connection_headers = ("connection", "keep-alive", "transfer-encoding", "content-length", "host")
chunk_bytes_max = 65536
# Until a controller has heard of a change that was made behind its back.
heard_seconds = 1


@dataclasses.dataclass(frozen=True)
class Write:
    """A request that is not only reading. The status is that which the API server answered, or 0 if it was not asked."""

    method: str
    path: str
    content_type: str
    body: bytes
    status: int


class Recorder(http.server.ThreadingHTTPServer):
    """Serves with the certificate of the API server, to which it speaks as the administrator."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, server, certificates):
        super().__init__(("127.0.0.1", 0), Forwarder)
        here = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        here.load_cert_chain(f"{certificates}/server.crt", f"{certificates}/server.key")
        # The handshake is made by the thread of the connection.
        self.socket = here.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.there = urllib.parse.urlsplit(server)
        self.context = ssl.create_default_context(cafile=f"{certificates}/authority.crt")
        self.context.load_cert_chain(f"{certificates}/admin.crt", f"{certificates}/admin.key")
        self.url = f"https://127.0.0.1:{self.server_port}"
        self.guard = threading.Lock()
        self.writes = []
        self.spoils = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def connect(self):
        return http.client.HTTPSConnection(self.there.hostname, self.there.port, context=self.context)

    def record(self, write):
        with self.guard:
            self.writes.append(write)

    def written(self, path):
        """What was written to a path and below."""
        with self.guard:
            return [write for write in self.writes if write.path.startswith(path)]

    def spoil(self, method, path, kinds):
        """Spoils the next such writes, one after another: `fail` answers 500, `lose` does it and tells nothing, and
        whatever can be called is called before the write is passed on."""
        with self.guard:
            self.spoils = [(method, path, kind) for kind in kinds]

    def next_spoil(self, method, path):
        with self.guard:
            for spoil in self.spoils:
                if spoil[:2] == (method, path):
                    self.spoils.remove(spoil)
                    return spoil[2]
        return None

    def handle_error(self, request, client_address):
        """Connections that end in the midst of something are those of controllers that were killed."""


class Forwarder(http.server.BaseHTTPRequestHandler):
    """One connection of a controller."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    there = None

    def forward(self):
        body = self.body()
        path = self.path.partition("?")[0]
        spoil = self.server.next_spoil(self.command, path)
        if callable(spoil):
            spoil()
            time.sleep(heard_seconds)
        if spoil == "fail":
            self.record(body, 0)
            self.answer(500, b'{"kind":"Status","apiVersion":"v1","status":"Failure","message":"spoiled","code":500}')
            return
        reply = self.ask(body)
        if self.command != "GET":
            self.record(body, reply.status)
        if spoil == "lose":
            reply.read()
            self.close_connection = True
            return
        self.pass_on(reply)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = forward

    def record(self, body, status):
        # Ours lets the server give up a patch early.
        path = re.sub(r"[?&]timeout=\w+", "", self.path)
        self.server.record(Write(self.command, path, self.headers.get("Content-Type", ""), body, status))

    def body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().partition(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def ask(self, body):
        headers = {name: value for name, value in self.headers.items() if name.lower() not in connection_headers}
        if self.there is None:
            self.there = self.server.connect()
        try:
            self.there.request(self.command, self.path, body or None, headers)
            return self.there.getresponse()
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            # A connection that was idle for too long.
            self.there.close()
            self.there.request(self.command, self.path, body or None, headers)
            return self.there.getresponse()

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def pass_on(self, reply):
        """Each piece as it comes: a watch tells of one change at a time."""
        self.send_response_only(reply.status, reply.reason)
        for name, value in reply.getheaders():
            if name.lower() not in connection_headers:
                self.send_header(name, value)
        if reply.length is not None:
            self.send_header("Content-Length", str(reply.length))
            self.end_headers()
            self.wfile.write(reply.read())
            return
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while piece := reply.read1(chunk_bytes_max):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_):
        """What a controller asks is in the log of the API server, if at all."""
