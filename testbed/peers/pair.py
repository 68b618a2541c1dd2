"""Two sides to which the same is done, and what of them must be the same."""
import concurrent.futures
import json
import re
import signal
import time

# So long must both sides be the same, and change no more, before the next step.
quiet_seconds = 1
# So long is nothing seen of a side that is at rest. Failures are repeated after more and more time.
rest_seconds = 3
exit_seconds_max = 120
remind_seconds = 5


def say(sentence):
    print(f"[peers] {time.strftime('%H:%M:%S')} {sentence}", flush=True)


class Different(Exception):
    """The two sides are not the same."""


def tell_apart(left, right, names):
    """What one has and the other has not, aspect by aspect."""
    lines = []
    for aspect in left:
        one, other = left[aspect], right[aspect]
        if one == other:
            continue
        if isinstance(one, list):
            one, other = ({json.dumps(item): have.count(item) for item in have} for have in (one, other))
        for key in sorted(one.keys() | other.keys()):
            if one.get(key) != other.get(key):
                lines += [f"  {aspect} {key}", f"    {names[0]}: {one.get(key)}", f"    {names[1]}: {other.get(key)}"]
    return "\n".join(lines)


class Pair:
    """Two sides to which the same is done."""

    def __init__(self, sides, patience):
        self.sides = sides
        self.patience = patience
        self.pool = concurrent.futures.ThreadPoolExecutor(len(sides))
        self.flags = []

    def both(self, action):
        return list(self.pool.map(action, self.sides))

    def names(self):
        return [side.name for side in self.sides]

    def start(self):
        self.both(lambda side: side.start(self.flags))

    def stop(self, number=signal.SIGTERM):
        self.both(lambda side: side.stop(number))

    def agree(self, look, settled, remind=lambda: None):
        """Waits until both look the same and no longer change. Whatever waits for long is reminded."""
        end = time.monotonic() + self.patience
        reminded = time.monotonic()
        former, since = None, 0
        while True:
            seen = self.both(look)
            now = time.monotonic()
            if seen != former:
                former, since = seen, now
            if seen[0] == seen[1] and settled(seen[0]) and now - since >= quiet_seconds:
                return seen[0]
            if now > end:
                told = tell_apart(*seen, self.names()) or f"  neither comes to rest:\n    {seen[0]}"
                raise Different(f"after {self.patience} s:\n{told}")
            if now - reminded > remind_seconds:
                remind()
                reminded = time.monotonic()
            time.sleep(0.2)

    def rest(self, look):
        """Waits until neither changes any more, whether they look the same or not."""
        end = time.monotonic() + self.patience
        former, since = None, 0
        while time.monotonic() < end:
            seen = self.both(look)
            if seen != former:
                former, since = seen, time.monotonic()
            if time.monotonic() - since >= rest_seconds:
                return seen
            time.sleep(0.2)
        raise Different(f"no rest after {self.patience} s: {seen}")

    def both_refuse(self, complaint):
        """Both controllers have been launched, and end; ours complains as the other does."""
        ended = self.both(lambda side: side.ended(exit_seconds_max))
        if not all(ended):
            raise Different(f"they end with {ended}")
        told = complaint(self.sides[0].said())
        self.must_say(told)
        self.stop()
        return told

    def must_say(self, told):
        end = time.monotonic() + self.patience
        while silent := [side for side in self.sides if told not in side.said().replace('\\"', '"')]:
            if time.monotonic() > end:
                raise Different(f"{silent[0].name} does not say {told!r}, but {silent[0].said()[-1000:]!r}")
            time.sleep(0.2)


def complaint(log):
    """Why kube-controller-manager did not start."""
    found = re.findall(r'err="((?:[^"\\]|\\.)*)"', log.strip().splitlines()[-1])
    return found[-1].replace('\\"', '"') if found else log.strip().splitlines()[-1]


def node_look(side, prefix):
    """What must be the same. Which node of a burst came first is chance, and not compared."""
    def known(name):
        return "burst" if name.startswith("burst") else name
    nodes, burst = {}, []
    for node in side.listed("/api/v1/nodes"):
        name, state = node["metadata"]["name"], node["spec"].get("podCIDRs", [])
        side.uids[node["metadata"]["uid"]] = f"that of {known(name)}"
        leaving = ["leaving"] if "deletionTimestamp" in node["metadata"] else []
        if known(name) == name:
            nodes[name] = state + leaving
        else:
            burst.append(state)
    events = set()
    for event in side.listed("/api/v1/namespaces/default/events"):
        about = event["involvedObject"]
        if about["kind"] in ("Node", "ClusterCIDR"):
            # An event may outlive its node.
            about["uid"] = side.uids.get(about.get("uid"), about.get("uid"))
            about.pop("resourceVersion", None)
            events.add(json.dumps([event["reason"], event["type"], event["message"], event["source"], about], sort_keys=True))
    writes = [[write.method, re.sub(r"burst-[\w-]+", "burst", write.path), write.content_type, write.body.decode(), write.status]
              for write in side.recorder.written("/api/v1/nodes")]
    return {"node": nodes, "burst": sorted(burst), "event": sorted(events), "metric": side.metrics(prefix), "write": sorted(writes)}
