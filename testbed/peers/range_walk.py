"""What nodes do by chance where RangeAllocator gives them CIDRs."""
from peers.walk import Walk, network

burst_nodes = 40


class RangeWalk(Walk):
    """RangeAllocator with the flags of a plan."""

    def __init__(self, pair, chance, steps, blocks):
        super().__init__(pair, chance, steps)
        self.blocks = [(network(cidr), length) for cidr, length in blocks]

    def kinds(self):
        kinds = {"restart": 3}
        if self.seen["node"]:
            kinds |= {"leave": 8, "change_behind": 3}
        if self.staying():
            kinds |= {"begin_to_leave": 3, "relabel": 2, "heartbeat": 2}
        # Who of two that wait is served first is chance.
        if not self.waiting():
            kinds |= {"join": 16, "join_with": 6, "join_astray": 1}
            if self.free_blocks() > 2:
                kinds |= {"burst": 2, "spoiled": 4}
        return kinds

    def free_blocks(self):
        usage = [sample for name, sample in self.seen["metric"].items() if "_usage_" in name]
        most = min(2 ** (length - whole.prefixlen) for whole, length in self.blocks)
        return int(most * (1 - max(usage, default=0)) + 0.5)

    def burst_size(self):
        return min(burst_nodes, self.free_blocks())

    def some_free(self, whole, length):
        """A range that no node has, nor a part of it."""
        size = 2 ** (whole.max_prefixlen - length)
        for _ in range(100):
            at = self.chance.randrange(whole.num_addresses // size)
            found = network((int(whole.network_address) + at * size, length))
            block_wide = found if length <= self.length_in(whole) else found.supernet(new_prefix=self.length_in(whole))
            if not any(one.version == found.version and one.overlaps(block_wide) for one in self.taken()):
                return [str(found)]
        return []

    def length_in(self, whole):
        return next(length for cluster, length in self.blocks if cluster == whole)

    def join_with(self):
        """With a block of its own, a part of one, some together, or those of some of the families only."""
        other = self.chance.choice((0, 0, 0, 1, 2, -1))
        cidrs = []
        for whole, length in self.blocks[:self.chance.randint(1, len(self.blocks))]:
            cidrs += self.some_free(whole, max(length + other, whole.prefixlen + 1)) or [""]
        name = self.new_name()
        self.create(name, [] if "" in cidrs else cidrs)
        return f"{name} joins with {cidrs}"

    def join_astray(self):
        """With what the plan does not mean. The others are served, but no controller starts as long as this is so."""
        outside = {4: "172.31.5.0/24", 6: "fd77::/64"}
        kinds = [[outside[4]], [outside[6]], [outside[4], outside[6]]]
        name = self.new_name()
        cidrs = self.chance.choice(kinds)
        self.create(name, cidrs)
        self.astray.add(name)
        return f"{name} joins with {cidrs}, which is astray"

    def usurped(self):
        """While the controller writes, the node gets other CIDRs, of which it has not heard yet."""
        name = self.new_name()
        cidrs = [cidr for block in self.blocks for cidr in self.some_free(*block)]
        body = {"spec": {"podCIDR": cidrs[0], "podCIDRs": cidrs}}
        self.pair.both(lambda side: side.recorder.spoil(
            "PATCH", f"/api/v1/nodes/{name}", [lambda: side.patch(f"/api/v1/nodes/{name}", body)]))
        self.create(name)
        return f"{name} joins and is given {cidrs} by another"
