"""One of two sides that are compared: an API server, a controller on it, and what can be seen of both."""
import concurrent.futures
import dataclasses
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import time
import urllib.request

from peers.compute import Compute
from peers.recorder import Recorder

testbed = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
root = os.path.dirname(testbed)
start_seconds_max = 600
start_attempts_max = 3
end_seconds_max = 60
burst_workers = 16


def environment(folder, version=""):
    """That of a program of testbed. A version that is named is not taken from just any folder."""
    own = {"CADASTRE_TESTBED": folder} | ({"KUBERNETES_VERSION": version} if version else {})
    return dict(os.environ) | own


def binary(name, version):
    folder = subprocess.run([f"{testbed}/kubernetes", name], env=environment("", version), check=True,
                            stdout=subprocess.PIPE, text=True).stdout.strip()
    return f"{folder}/{name}"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@dataclasses.dataclass(frozen=True)
class Reference:
    """Kubernetes' own controller."""

    version: str
    flags: tuple = ()
    scheme = "https"
    ready = "/healthz"
    at_work = ""
    survives_nodes_astray = False

    def command(self, kubeconfig, port):
        return [binary("kube-controller-manager", self.version), "--controllers=node-ipam-controller", "--leader-elect=false",
                f"--kubeconfig={kubeconfig}", "--bind-address=127.0.0.1", f"--secure-port={port}",
                "--authorization-always-allow-paths=/healthz,/metrics", *self.flags]


@dataclasses.dataclass(frozen=True)
class Ours:
    """The controller of this tree. Both are given the same flags; these are in addition."""

    flags: tuple = ()
    scheme = "http"
    ready = "/livez"
    at_work = r"^cadastre: \S+ leads$"
    survives_nodes_astray = True

    def command(self, kubeconfig, port):
        return ["env", f"KUBECONFIG={kubeconfig}", f"{root}/cadastre", "controller", "--datastore=kubernetes",
                "--controllers=node-ipam-controller", f"--listen=127.0.0.1:{port}", "--data-dir=FOLDER/data",
                *self.flags]


class Side:
    """Driven directly, as an operator does; only the controller goes through the recorder."""

    def __init__(self, name, folder, kind, version, server_flags):
        self.name = name
        self.kind = kind
        self.folder = os.path.join(folder, name)
        self.environment = environment(self.folder, version)
        self.server_flags = server_flags
        self.process = self.recorder = None
        self.compute = Compute()
        # Those of the nodes that were seen, which are different on each side.
        self.uids = {}
        os.makedirs(self.folder, mode=0o700)
        self.log = os.path.join(self.folder, "controller.log")
        with open(os.path.join(self.folder, "cloud-config"), "w", encoding="utf-8") as configuration:
            configuration.write(self.compute.configuration())

    def up(self):
        subprocess.run([f"{testbed}/kube-apiserver", "start", *self.server_flags], env=self.environment, check=True,
                       stdout=subprocess.DEVNULL)
        server = os.path.join(self.folder, "kube-apiserver")
        with open(f"{server}/url", encoding="utf-8") as url:
            self.recorder = Recorder(url.read().strip(), f"{server}/certificates")
        self.kubeconfig = os.path.join(self.folder, "kubeconfig")
        with open(f"{server}/admin.kubeconfig", encoding="utf-8") as given, \
                open(self.kubeconfig, "w", encoding="utf-8") as own:
            own.write(re.sub(r"server: \S+", f"server: {self.recorder.url}", given.read()))

    def down(self):
        self.stop(signal.SIGKILL)
        subprocess.run([f"{testbed}/kube-apiserver", "stop"], env=self.environment, check=False)

    # The controller.

    def launch(self, flags):
        self.port = free_port()
        words = [word.replace("FOLDER", self.folder) for word in [*self.kind.command(self.kubeconfig, self.port), *flags]]
        with open(self.log, "ab") as log:
            self.began = log.tell()
            self.process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=root, start_new_session=True,
                env=dict(os.environ) | {"GCE_METADATA_HOST": self.compute.host})

    def start(self, flags):
        """As in a cluster, a controller that ends since the API server did not answer is started again."""
        for _ in range(start_attempts_max):
            self.launch(flags)
            end = time.monotonic() + start_seconds_max
            while self.process.poll() is None and time.monotonic() < end:
                if self.page(self.kind.ready):
                    return
                time.sleep(0.1)
        raise RuntimeError(f"the controller of {self.name} does not start: {self.said()[-2000:]}")

    def await_work(self):
        """Ours begins when the lease of the one before is over. That is later if a write may yet be carried out."""
        end = time.monotonic() + end_seconds_max
        while not re.search(self.kind.at_work, self.said(), re.MULTILINE):
            if time.monotonic() > end:
                raise RuntimeError(f"the controller of {self.name} does not begin: {self.said()[-2000:]}")
            time.sleep(0.1)

    def stop(self, number):
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            self.process.wait(end_seconds_max)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def ended(self, seconds):
        """The status with which the controller ended by itself; nothing if it did not."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def said(self):
        """What the controller has said since it was started."""
        with open(self.log, encoding="utf-8", errors="replace") as log:
            log.seek(self.began)
            return log.read()

    def page(self, path):
        """What a page of the controller has; nothing if there is none."""
        lenient = ssl._create_unverified_context()  # pylint: disable=protected-access # a certificate made at the start
        try:
            with urllib.request.urlopen(f"{self.kind.scheme}://127.0.0.1:{self.port}{path}", timeout=10,
                                        context=lenient if self.kind.scheme == "https" else None) as reply:
                return reply.read().decode()
        except OSError:
            return ""

    def metrics(self, prefix):
        """Samples by name and labels."""
        samples = {}
        for line in self.page("/metrics").splitlines() if self.process else ():
            if line.startswith(prefix):
                name, _, value = line.rpartition(" ")
                name, _, labels = name.partition("{")
                key = name + "".join(f" {label}={text}" for label, text in sorted(re.findall(r'(\w+)="([^"]*)"', labels)))
                samples[key] = float(value)
        return samples

    # The API.

    def call(self, method, path, body=None, kind="application/json", fine=()):
        there = self.recorder.connect()
        try:
            there.request(method, path, None if body is None else json.dumps(body), {"Content-Type": kind})
            reply = there.getresponse()
            text = reply.read()
        finally:
            there.close()
        if reply.status >= 300 and reply.status not in fine:
            raise RuntimeError(f"{method} {path} on {self.name} is answered {reply.status}: {text[:500].decode()}")
        return json.loads(text)

    def listed(self, path):
        return self.call("GET", path)["items"]

    def patch(self, path, body):
        return self.call("PATCH", path, body, "application/merge-patch+json", fine=(404,))

    def at_once(self, action, names):
        with concurrent.futures.ThreadPoolExecutor(burst_workers) as pool:
            list(pool.map(action, names))
