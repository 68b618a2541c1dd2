"""What nodes and instances do by chance where the CIDRs of nodes are alias ranges of a cloud."""
import json
import re

from peers.compute import project, zone
from peers.walk import Walk

unavailable = "NetworkUnavailable"
moment = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def of_one_family(patch):
    cidrs = json.loads(patch)["spec"].get("podCIDRs", [])
    return len(cidrs) == 2 and (":" in cidrs[0]) == (":" in cidrs[1])


class CloudWalk(Walk):
    """No node has to wait for another, so any number of them may have nothing yet."""

    def __init__(self, pair, chance, steps, blocks):
        super().__init__(pair, chance, steps)
        # Of these, neither side says anything.
        self.silent = set()
        pair.both(lambda side: side.compute.instances.clear())
        pair.both(lambda side: side.compute.added.clear())

    def look(self, side):
        """A write that failed is repeated at times that are chance, so only which ones there are is the same."""
        look = super().look(side)
        # Ours does not send what no server takes: two CIDRs of one family.
        look["write"] = [write for write in look["write"] if not (write[4] == 422 and of_one_family(write[3]))]
        look["write"] = sorted({moment.sub("TIME", str(write)) for write in look["write"]})
        look["alias"] = {name: [alias["ipCidrRange"] for alias in aliases] for name, aliases in side.compute.aliases().items()}
        look["added"] = sorted(str(added) for added in side.compute.added)
        look["network"] = {
            node["metadata"]["name"]: [[one["status"], one.get("reason"), one.get("message")]
                                       for one in node["status"].get("conditions", []) if one["type"] == unavailable]
            for node in side.listed("/api/v1/nodes")}
        return look

    def settled(self, seen):
        return all(name in self.silent or any(f'"name": "{name}"' in event for event in seen["event"])
                   or state and (seen["network"][name] or state[:1] == seen["alias"].get(name, [])[:1])
                   for name, state in seen["node"].items())

    def waiting(self):
        return []

    def kinds(self):
        kinds = {"restart": 1, "join": 12}
        if self.staying():
            kinds |= {"leave": 4, "relabel": 2, "heartbeat": 2, "cut_off": 2, "realias": 4}
        return kinds

    def ranges(self):
        """Apart from those that are given from the lower end."""
        number = 255 - self.count
        return f"10.8.{number}.0/24", f"fd08:0:0:{number:x}::/64", f"10.9.{number}.0/24"

    def join(self):
        name = self.new_name()
        four, six, other = self.ranges()
        aliases = self.chance.choice((None, [], [], [four], [four], [four], [four, six], [four, other], [four, six, other], [other]))
        cidrs = self.chance.choice(([], [], [], [], [four], [four, six], [other]))
        provider = self.chance.choice([f"gce://{project}/{zone}/{name}"] * 8 + ["", "other:///x"])
        if aliases is not None:
            self.pair.both(lambda side: side.compute.set_aliases(name, aliases))
        if not provider.startswith("gce") or aliases is None or aliases[:1] == [other] or len(aliases) > 1:
            self.silent.add(name)
        node = {"metadata": {"name": name}, "spec": {"podCIDRs": cidrs} | ({"providerID": provider} if provider else {})}
        self.pair.both(lambda side: side.call("POST", "/api/v1/nodes", node))
        return f"{name} joins with {cidrs}, provider id {provider!r}, aliases {aliases}"

    def realias(self):
        name = self.chance.choice(self.staying())
        cidrs = self.chance.choice(([], [self.ranges()[0]], self.seen["node"][name][:1]))
        self.pair.both(lambda side: side.compute.set_aliases(name, cidrs))
        self.touch(f"/api/v1/nodes/{name}")
        return f"the instance of {name} has aliases {cidrs}"

    def cut_off(self):
        name = self.chance.choice(self.staying())
        condition = {"type": unavailable, "status": "True", "reason": "NoRouteCreated", "message": "cut off"}
        self.patch(name, {"status": {"conditions": [condition]}}, "/status")
        return f"{name} is cut off"
