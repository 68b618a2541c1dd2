"""What nodes do by chance, whatever it is that gives them CIDRs."""
import ipaddress
import os
import signal
import sys
import time

from peers.pair import Different, complaint, exit_seconds_max, node_look, say

finalizer = "cadastre.test/stays"
network = ipaddress.ip_network


class Walk:
    """Steps by chance. What is known of the nodes is what the sides have agreed on."""

    metric_prefix = "node_ipam_controller_"
    # After the sixth failure ours offers the node the first block again, on purpose.
    fails_max = 5
    run = 0

    def __init__(self, pair, chance, steps):
        self.pair = pair
        self.chance = chance
        self.steps = steps
        self.count = 0
        self.seen = {"node": {}}
        self.astray = set()
        Walk.run += 1

    def go(self):
        step = "the start"
        try:
            self.begin()
            for self.count in range(1, self.steps + 1):
                kinds = [kind for kind, weight in self.kinds().items() for _ in range(weight)]
                step = self.chance.choice(kinds)
                step = getattr(self, step)()
                self.remind()
                self.agree()
                if sys.stdout.isatty() or os.environ.get("CADASTRE_TELL"):
                    say(f"{self.count}: {step}")
            step = "the end"
            self.finish()
        except Different as difference:
            raise Different(f"step {self.count}, {step}, {difference}") from difference

    def begin(self):
        self.pair.start()
        self.agree()

    def finish(self):
        """Everything goes; both have nothing left, and say so. Nodes that wait go first: ours would offer them at once what another gives back."""
        for name in sorted(self.seen["node"], key=lambda name: bool(self.seen["node"][name])):
            self.let_go(name)
        self.agree()
        self.pair.stop()
        self.forget()

    def forget(self):
        self.pair.both(lambda side: side.call("DELETE", "/api/v1/namespaces/default/events"))
        self.pair.both(lambda side: side.recorder.writes.clear())

    def look(self, side):
        return node_look(side, self.metric_prefix)

    def settled(self, seen):
        """Each node has what it can get. One that has nothing was told so, and there is nothing."""
        exhausted = any(value >= 1 for name, value in seen["metric"].items() if "_usage_" in name)
        return all(state or exhausted and any(f'"Node {name} status is now: CIDRNotAvailable"' in event for event in seen["event"])
                   for name, state in seen["node"].items())

    def agree(self):
        self.seen = self.pair.agree(self.look, self.settled, self.remind)

    # What is known.

    def waiting(self):
        return [name for name, state in self.seen["node"].items() if not state]

    def leaving(self):
        return [name for name, state in self.seen["node"].items() if "leaving" in state]

    def staying(self):
        return [name for name, state in self.seen["node"].items() if "leaving" not in state]

    def taken(self):
        return [network(cidr, strict=False) for state in self.seen["node"].values() for cidr in state if cidr != "leaving"]

    # What is done.

    def new_name(self, prefix="node"):
        return f"{prefix}-{Walk.run}-{self.count}"

    def create(self, name, cidrs=(), labels=None, side=None):
        node = {"metadata": {"name": name, "labels": labels or {}}, "spec": {"podCIDRs": list(cidrs)} if cidrs else {}}
        for one in [side] if side else self.pair.sides:
            one.call("POST", "/api/v1/nodes", node)

    def patch(self, name, body, below=""):
        self.pair.both(lambda side: side.patch(f"/api/v1/nodes/{name}{below}", body))

    def delete(self, name):
        self.pair.both(lambda side: side.call("DELETE", f"/api/v1/nodes/{name}", fine=(404,)))

    def let_go(self, name):
        self.patch(name, {"metadata": {"finalizers": None}})
        self.delete(name)
        self.astray.discard(name)

    def touch(self, path):
        body = {"metadata": {"annotations": {"touched": f"{time.monotonic()}"}}}
        self.pair.both(lambda side: side.patch(path, body))

    def remind(self):
        """Otherwise a node that waits is served whenever it is its turn again."""
        for name in self.waiting():
            self.touch(f"/api/v1/nodes/{name}")

    def join(self):
        name = self.new_name()
        self.create(name)
        return f"{name} joins"

    def burst(self):
        names = [f"{self.new_name('burst')}-{number}" for number in range(self.burst_size())]
        self.pair.both(lambda side: side.at_once(lambda name: self.create(name, side=side), names))
        seen = self.pair.agree(self.look, lambda seen: self.settled(seen) and len(seen["burst"]) == len(names) and all(seen["burst"]))
        cidrs = [network(cidr) for state in seen["burst"] for cidr in state]
        if any(one.version == other.version and one.overlaps(other) for at, one in enumerate(cidrs)
               for other in cidrs[:at] + self.taken()):
            raise Different(f"doubled in a burst: {cidrs}")
        self.pair.both(lambda side: side.at_once(lambda name: side.call("DELETE", f"/api/v1/nodes/{name}"), names))
        return f"{len(names)} join and go"

    def relabel(self):
        name = self.chance.choice(self.staying())
        self.patch(name, {"metadata": {"labels": {"colour": self.chance.choice(("red", "blue", None))}}})
        return f"{name} is relabelled"

    def heartbeat(self):
        name = self.chance.choice(self.staying())
        condition = {"type": "Ready", "status": "True", "reason": f"Step{self.count}", "message": "", "lastHeartbeatTime": None}
        self.patch(name, {"status": {"conditions": [condition]}}, "/status")
        return f"{name} is alive"

    def leave(self):
        name = self.chance.choice(list(self.seen["node"]))
        self.let_go(name)
        return f"{name} goes"

    def begin_to_leave(self):
        name = self.chance.choice(self.staying())
        self.patch(name, {"metadata": {"finalizers": [finalizer]}})
        self.delete(name)
        return f"{name} is to go and stays"

    def restart(self):
        number = self.chance.choice((signal.SIGTERM, signal.SIGKILL))
        self.pair.stop(number)
        if self.astray:
            return self.restart_astray()
        self.pair.start()
        return f"restarted by {number.name}"

    def restart_astray(self):
        """The reference ends, as it always does then. Ours says the same, and waits until the node is gone."""
        self.pair.both(lambda side: side.launch(self.pair.flags))
        ending = [side for side in self.pair.sides if not side.kind.survives_nodes_astray]
        if not all(side.ended(exit_seconds_max) for side in ending):
            raise Different(f"{ending[0].name} does not end")
        told = complaint(ending[0].said())
        self.pair.must_say(told)
        for name in sorted(self.astray):
            self.let_go(name)
        for side in ending:
            side.start(self.pair.flags)
        return f"not begun, as '{told}', until that is gone"

    def change_behind(self):
        """While no controller runs, one node goes and another comes."""
        self.pair.stop()
        gone = self.chance.choice(list(self.seen["node"]))
        self.let_go(gone)
        joins = not [name for name in self.waiting() if name != gone]
        if joins:
            self.create(self.new_name())
        for name in sorted(self.astray):
            self.let_go(name)
        self.pair.start()
        return f"{gone} goes" + (f" and {self.new_name()} joins" if joins else "") + " behind the controller"

    def spoiled(self):
        """The write fails, or its reply is lost, and the next ones too."""
        name = self.new_name()
        kinds = [self.chance.choice(("fail", "lose")) for _ in range(self.chance.randint(1, 2))]
        if self.chance.random() < 0.3 and self.fails_max > 2:
            kinds = ["fail"] * self.chance.randint(3, self.fails_max)
        self.pair.both(lambda side: side.recorder.spoil("PATCH", f"/api/v1/nodes/{name}", kinds))
        self.create(name)
        return f"{name} joins, writes {kinds}"
