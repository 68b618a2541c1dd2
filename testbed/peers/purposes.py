"""What both sides do not do alike, on purpose: small scenes, and what is seen at the end of each."""
from peers.walk import Walk


class Scene(Walk):
    """Nodes that do the same on both sides, after which the sides may differ."""

    def __init__(self, pair):
        super().__init__(pair, None, 0)

    def act(self, scene):
        """What is seen of each side in the end."""
        self.pair.start()
        self.pair.both(lambda side: side.await_work())
        self.rest()
        scene(self)
        seen = self.rest()
        self.seen = {"node": seen[0]["node"] | seen[1]["node"]}
        for name in list(self.seen["node"]):
            self.let_go(name)
        self.pair.stop()
        self.forget()
        return seen

    def rest(self):
        return self.pair.rest(self.look)

    def join(self, name, *cidrs):
        self.create(name, cidrs)
        self.rest()

    def go(self, name):
        self.let_go(name)
        self.rest()


def given(seen):
    return {name: cidrs for name, cidrs in sorted(seen["node"].items())}


def reasons(seen):
    return sorted(event.split('"')[1] for event in seen["event"])


def statuses(seen):
    return [write[-1] for write in seen["write"]]


def usage(seen):
    return [value for name, value in sorted(seen["metric"].items()) if "_usage_" in name]


def usurped(scene):
    """Another gives a node CIDRs while the controller writes others."""
    body = {"spec": {"podCIDR": "10.244.9.0/24", "podCIDRs": ["10.244.9.0/24"]}}
    scene.pair.both(lambda side: side.recorder.spoil(
        "PATCH", "/api/v1/nodes/usurped", [lambda: side.patch("/api/v1/nodes/usurped", body)]))
    scene.join("usurped")


def unanswered(scene):
    """Three writes are done, and no reply arrives."""
    scene.pair.both(lambda side: side.recorder.spoil("PATCH", "/api/v1/nodes/unanswered", ["lose"] * 3))
    scene.join("unanswered")


def failing(scene):
    """Six writes fail, which are the tries for two blocks."""
    scene.pair.both(lambda side: side.recorder.spoil("PATCH", "/api/v1/nodes/failing", ["fail"] * 6))
    scene.join("failing")


def half_exhausted(scene):
    """There is a block of one family only, and the node that needs two asks again."""
    for number in range(5):
        scene.join(f"node-{number}")
    for _ in range(3):
        scene.touch("/api/v1/nodes/node-4")
        scene.rest()


def halves(scene):
    """Two nodes have the halves of a block, and one goes."""
    scene.join("one-half", "10.10.1.0/25")
    scene.join("other-half", "10.10.1.128/25")
    scene.go("one-half")
    for number in range(2):
        scene.join(f"node-{number}")


def doubled(scene):
    """Two nodes have the same block, and one goes."""
    scene.join("one", "10.10.1.0/24")
    scene.join("other", "10.10.1.0/24")
    scene.go("one")
    for number in range(2):
        scene.join(f"node-{number}")


def of_services(scene):
    """A node had a block of the service range."""
    scene.join("intruder", "10.0.1.0/24")
    scene.go("intruder")
    scene.join("node")


def out_of_order(scene):
    """The CIDRs of a node are of the families in the other order."""
    scene.join("crossed", "fd00:10:244::/64", "10.244.0.0/24")
    scene.join("node")
