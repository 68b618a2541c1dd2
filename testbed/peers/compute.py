"""As much of a compute service on loopback as controllers ask of it: instances with alias ranges, and adding one."""
import http.server
import json
import re
import threading

project, zone, secondary_range = "cadastre", "test-a", "pods"
instance_path = re.compile(r"/compute/\w+/projects/[^/]+/zones/[^/]+/instances/([^/?]+)(/updateNetworkInterface)?(\?.*)?")


class Compute(http.server.ThreadingHTTPServer):
    """Instances by name, each with the alias ranges of its one interface."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.host = f"127.0.0.1:{self.server_port}"
        self.url = f"http://{self.host}"
        self.guard = threading.Lock()
        self.instances = {}
        self.added = []
        self.refuses = set()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def configuration(self):
        """As gce reads it. For the token that it needs to ask for a token, it asks the metadata server, which is this too."""
        return f"""[global]
api-endpoint = {self.url}/compute/v1/
token-url = {self.url}/token
token-body = none
project-id = {project}
local-zone = {zone}
network-name = default
secondary-range-name = {secondary_range}
"""

    def set_aliases(self, name, cidrs):
        with self.guard:
            self.instances[name] = [{"ipCidrRange": cidr, "subnetworkRangeName": secondary_range} for cidr in cidrs]

    def aliases(self):
        with self.guard:
            return {name: list(aliases) for name, aliases in self.instances.items()}


class Answer(http.server.BaseHTTPRequestHandler):
    """What cannot be found is answered 404, as anywhere."""

    protocol_version = "HTTP/1.1"

    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def fail(self, status, why):
        self.answer(status, {"error": {"code": status, "message": why, "errors": [{"reason": why, "message": why}]}})

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def do_GET(self):
        if self.path.startswith("/computeMetadata/"):
            self.answer(200, {"access_token": "none", "expires_in": 3600, "token_type": "Bearer"})
            return
        if "/operations/" in self.path:
            self.answer(200, self.operation())
            return
        found = instance_path.fullmatch(self.path)
        with self.server.guard:
            aliases = self.server.instances.get(found[1]) if found else None
        if aliases is None:
            self.fail(404, "notFound")
            return
        self.answer(200, {
            "kind": "compute#instance", "id": "1", "name": found[1], "zone": f"projects/{project}/zones/{zone}",
            "networkInterfaces": [{"name": "nic0", "fingerprint": "Zm9v", "aliasIpRanges": aliases}]})

    def do_POST(self):
        self.body()
        self.answer(200, {"accessToken": "none", "expireTime": "2100-01-01T00:00:00Z"})

    def do_PATCH(self):
        asked = json.loads(self.body())
        found = instance_path.fullmatch(self.path)
        with self.server.guard:
            name = found[1] if found else ""
            if name in self.server.instances and name not in self.server.refuses:
                self.server.instances[name] = asked["aliasIpRanges"]
                self.server.added.append([name, found[3], asked])
                self.answer(200, self.operation())
                return
        self.fail(403 if name in self.server.refuses else 404, "refused")

    def operation(self):
        return {"kind": "compute#operation", "id": "7", "name": "operation-7", "status": "DONE", "zone": f"{zone}",
                "selfLink": f"{self.server.url}/compute/v1/projects/{project}/zones/{zone}/operations/operation-7"}

    def log_message(self, *_):
        """What is asked is not of interest, only what comes of it."""
