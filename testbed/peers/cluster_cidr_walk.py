"""What nodes and ClusterCIDRs do by chance where MultiCIDRRangeAllocator gives nodes their CIDRs."""
import re

from peers.walk import Walk, network

path = "/apis/networking.k8s.io/v1alpha1/clustercidrs"
ranges = 4
names = ("pool", "zone")


class ClusterCidrWalk(Walk):
    """Keeps away from what differs on purpose and cannot be told apart here: ClusterCIDRs without a selector go at the end only,
    both families of a ClusterCIDR have the same blocks, and where ranges overlap, no block is missed and nothing but joining,
    going and restarting happens."""

    metric_prefix = "node_ipam_controller_multic"
    # A write that is not answered keeps its blocks.
    fails_max = 2

    def __init__(self, pair, chance, steps, blocks):
        super().__init__(pair, chance, steps)
        overlap, *self.families = blocks
        self.overlap = overlap == "overlapping"
        self.defined = set()

    def look(self, side):
        look = super().look(side)
        look["clustercidr"] = {
            one["metadata"]["name"]: [one["spec"], one["metadata"].get("finalizers", []), "deletionTimestamp" in one["metadata"]]
            for one in side.listed(path)}
        look["metric"] = {} if self.overlap else {
            self.in_short(name): value for name, value in look["metric"].items() if self.is_there(name, look["clustercidr"])}
        return look

    @staticmethod
    def is_there(metric, cluster_cidrs):
        """Those of a ClusterCIDR that is gone stay with the reference until it is restarted."""
        return any(f"clusterCIDR={spec[family]}" in metric.split(" ")
                   for spec, _, _ in cluster_cidrs.values() for family in ("ipv4", "ipv6") if spec.get(family))

    @staticmethod
    def in_short(metric):
        """Our metrics are those of sigs.k8s.io/node-ipam-controller for both API groups: they name the ClusterCIDR as well, and
        one of them is spelled right."""
        return re.sub(" clusterCIDRName=[^ ]*", "", metric).replace("multicirdset", "multicidrset")

    def settled(self, seen):
        """A node that waits was told so. Whether there is anything for it is what is to be found out."""
        return (all(finalizers for _, finalizers, _ in seen["clustercidr"].values())
                and all(state or any(f'"Node {name} status is now: CIDRNotAvailable"' in event for event in seen["event"])
                        for name, state in seen["node"].items()))

    def remind(self):
        super().remind()
        for name in self.seen.get("clustercidr", ()):
            if self.seen["clustercidr"][name][2]:
                self.touch(f"{path}/{name}")

    def kinds(self):
        kinds = {}
        leaving = [name for name, (_, _, leaving) in self.seen["clustercidr"].items() if leaving]
        if not leaving:
            kinds |= {"restart": 2}
        if len(self.seen["clustercidr"]) < 10 and len(self.defined) < 20:
            kinds |= {"define": 6}
        if self.with_selector() and not self.overlap:
            kinds |= {"undefine": 3}
        if self.seen["node"]:
            kinds |= {"leave": 6}
        if self.staying() and not self.overlap:
            kinds |= {"relabel": 2, "heartbeat": 1}
        if not self.waiting():
            kinds |= {"join": 14, "spoiled": 2}
        return kinds

    def with_selector(self):
        return [name for name, (spec, _, leaving) in self.seen["clustercidr"].items() if "nodeSelector" in spec and not leaving]

    def finish(self):
        for name in list(self.seen["node"]):
            self.let_go(name)
        self.agree()
        for name in self.seen["clustercidr"]:
            self.undefine_one(name)
        super().finish()

    def create(self, name, cidrs=(), labels=None, side=None):
        own = {label: self.chance.choice("ab") for label in names if self.chance.random() < 0.6}
        if self.chance.random() < 0.4:
            own["size"] = self.chance.choice(("1", "5", "9"))
        super().create(name, cidrs, own, side)

    def define(self):
        while True:
            families = self.chance.choice(self.families)
            if self.overlap:
                number = self.chance.randrange(ranges) + (ranges if families == "46" else 0)
                bits, blocks = self.chance.randint(4, 5), self.chance.randint(5, 7)
            else:
                number, bits, blocks = len(self.defined), self.chance.randint(4, 8), self.chance.randint(0, 3)
            four = network((f"10.{20 + number // 16}.{number % 16 * 16}.0", 32 - bits - blocks), strict=False)
            six = network((int(network("fd00::/64").network_address) + int(four.network_address), 128 - bits - blocks), strict=False)
            spec = {"perNodeHostBits": bits} | ({"ipv4": str(four)} if "4" in families else {})
            spec |= {"ipv6": str(six)} if "6" in families else {}
            # Which of two of the same text comes first is chance.
            if str(four) not in self.defined:
                break
        self.defined.add(str(four))
        if selector := self.selector():
            spec["nodeSelector"] = selector
        name = f"{self.chance.choice('abc')}-{self.run}-{self.count}"
        body = {"apiVersion": "networking.k8s.io/v1alpha1", "kind": "ClusterCIDR", "metadata": {"name": name}, "spec": spec}
        self.pair.both(lambda side: side.call("POST", path, body))
        return f"{name} is defined: {spec}"

    def selector(self):
        """Nothing one time in five; otherwise up to two terms of up to two expressions."""
        if self.chance.random() < 0.2:
            return None
        return {"nodeSelectorTerms": [
            {"matchExpressions": [self.expression() for _ in range(self.chance.randint(1, 2))]}
            for _ in range(1 if self.chance.random() < 0.8 else 2)]}

    def expression(self):
        operator = self.chance.choice(("In", "In", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"))
        if operator in ("Gt", "Lt"):
            return {"key": "size", "operator": operator, "values": ["5"]}
        values = self.chance.sample(("a", "b", "c"), self.chance.randint(1, 2)) if operator in ("In", "NotIn") else []
        return {"key": self.chance.choice(names), "operator": operator} | ({"values": values} if values else {})

    def undefine(self):
        name = self.chance.choice(self.with_selector())
        self.undefine_one(name)
        return f"{name} is deleted"

    def undefine_one(self, name):
        self.pair.both(lambda side: side.call("DELETE", f"{path}/{name}", fine=(404,)))
