package io.cadastre.verification.simulation.pool;

import io.cadastre.address.Address;
import io.cadastre.agent.spiderpool.PoolAgent;
import io.cadastre.agent.spiderpool.SpiderpoolAgentException;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.verification.simulation.pool.ClusterObjects.Shown;
import io.cadastre.verification.simulation.runtime.Simulation;
import io.cadastre.verification.simulation.runtime.ThreadScript;
import io.cadastre.wire.spiderpool.AllocatedIp;
import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.IpamDelArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import java.util.List;
import java.util.SplittableRandom;

/// What a node does for one pod after another: it asks its agent for addresses, lets the pod live, and reports its
/// end or not. Pods of one script come back under one name, of a StatefulSet or not, or have names of their own. What
/// the node does survives its agent.
final class KubeletScript implements ThreadScript<PoolAgent> {

    private static final int TRIES_MAX = 6;

    /// A process of the simulation dies a few times more before it stays dead.
    private static final int AGENTS_MAX = 15;

    private static final long REST_MILLISECONDS_MAX = 3_000;
    private static final long LIFE_MILLISECONDS_MAX = 25_000;
    private static final List<String> PREFERENCES =
            List.of("{\"ipv4\":[\"a\",\"b\"]}", "{\"ipv4\":[\"b\",\"a\"],\"ipv6\":[\"c\"]}", "{\"ipv4\":[\"[ab]\"]}");

    private final Simulation stage;
    private final ClusterObjects objects;
    private final ClusterWitness witness;
    private final String node;
    private final String name;
    private final Form form;
    private final String pools;
    private final SplittableRandom choices;

    private int livesLeft;
    private int begun;
    private Phase phase = Phase.ABSENT;
    private Shown pod;
    private List<Address> addresses = List.of();
    private String formerUid = "";
    private int tries;
    private int agents;
    private boolean reported;

    /// What its pods have in common.
    private enum Form {
        OWN_NAMES,
        ONE_NAME,
        STATEFUL_SET
    }

    /// How far the present pod has come.
    private enum Phase {
        ABSENT,
        ADDING,
        LIVING,
        ENDING
    }

    KubeletScript(
            Simulation stage,
            ClusterObjects objects,
            ClusterWitness witness,
            String node,
            int number,
            int lives,
            SplittableRandom choices) {
        this.stage = stage;
        this.objects = objects;
        this.witness = witness;
        this.node = node;
        this.name = "%s-pod-%d".formatted(node, number);
        this.form = Form.values()[choices.nextInt(Form.values().length)];
        this.pools = PREFERENCES.get(choices.nextInt(PREFERENCES.size()));
        this.choices = choices;
        this.livesLeft = lives;
        this.pod = next();
        if (form == Form.STATEFUL_SET) {
            objects.showStatefulSet(name, name, 1);
        }
    }

    private Shown next() {
        begun++;
        return new Shown(
                switch (form) {
                    case OWN_NAMES -> "%s-%d".formatted(name, begun);
                    case ONE_NAME -> name;
                    case STATEFUL_SET -> name + "-0";
                },
                "%s-uid-%d".formatted(name, begun),
                node,
                form == Form.STATEFUL_SET ? name : "",
                pools);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean finished() {
        return livesLeft <= 0;
    }

    @Override
    public void perform(PoolAgent agent) {
        agents++;
        if (agents > AGENTS_MAX) {
            leave();
        }
        while (!finished()) {
            switch (phase) {
                case ABSENT -> appear();
                case ADDING -> add(agent);
                case LIVING -> live(agent);
                case ENDING -> end(agent);
            }
        }
    }

    /// The node has no agent for long, and its pods are moved.
    private void leave() {
        witness.end(record());
        objects.removePod(node, pod.name());
        livesLeft = 0;
    }

    private PoolRecord record() {
        return PoolRecord.of(new PodKey(ClusterObjects.NAMESPACE, pod.name()), pod.uid());
    }

    private void appear() {
        rest(REST_MILLISECONDS_MAX);
        addresses = List.of();
        tries = 0;
        reported = false;
        objects.showPending(node, pod);
        phase = Phase.ADDING;
    }

    private void add(PoolAgent agent) {
        tries++;
        try {
            addresses = asked(agent);
            if (form == Form.STATEFUL_SET) {
                witness.promiseKept(record(), addresses);
            } else {
                witness.promise(record(), addresses);
            }
            objects.showRunning(node, pod, texts());
            phase = Phase.LIVING;
        } catch (SpiderpoolAgentException failed) {
            stage.history().event(name, "ADD of %s failed: %s".formatted(pod.uid(), failed.words()));
            if (tries >= TRIES_MAX) {
                phase = Phase.ENDING;
            }
            rest(REST_MILLISECONDS_MAX);
        }
    }

    private List<Address> asked(PoolAgent agent) {
        stage.history().request(name, "ADD of " + pod.uid());
        var given = agent
                .allocate(new IpamAddArgs(
                        "container", "eth0", "/run/netns/x", identity(pod.uid()), List.of(), List.of(), false, false))
                .of("eth0")
                .ips()
                .stream()
                .map(AllocatedIp::ip)
                .map(ip -> ip.address().ip())
                .toList();
        stage.history().event(name, "%s has %s".formatted(pod.uid(), given));
        return given;
    }

    private PodIdentity identity(String uid) {
        return new PodIdentity(ClusterObjects.NAMESPACE, pod.name(), uid);
    }

    private List<String> texts() {
        return addresses.stream().map(Address::toString).toList();
    }

    private void live(PoolAgent agent) {
        rest(LIFE_MILLISECONDS_MAX);
        if (choices.nextInt(3) == 0) {
            askAgain(agent);
        }
        if (!formerUid.isEmpty() && choices.nextInt(3) == 0) {
            // The runtime reports the end of the former pod once more.
            delete(agent, formerUid);
        }
        rest(LIFE_MILLISECONDS_MAX);
        phase = Phase.ENDING;
    }

    private void askAgain(PoolAgent agent) {
        try {
            var again = asked(agent);
            if (!again.equals(addresses)) {
                throw new AssertionError("%s has %s and is given %s".formatted(pod.uid(), addresses, again));
            }
        } catch (SpiderpoolAgentException failed) {
            stage.history().event(name, "ADD of %s failed: %s".formatted(pod.uid(), failed.words()));
        }
    }

    private void end(PoolAgent agent) {
        witness.end(record());
        boolean leaves = choices.nextInt(3) > 0;
        if (leaves) {
            objects.showLeaving(node, pod, texts());
            rest(REST_MILLISECONDS_MAX);
        }
        if (!reported && choices.nextBoolean()) {
            // If the agent dies meanwhile, the report is lost.
            reported = true;
            if (!leaves) {
                objects.removePod(node, pod.name());
            }
            delete(agent, pod.uid());
        }
        objects.removePod(node, pod.name());
        formerUid = form == Form.OWN_NAMES ? "" : pod.uid();
        if (form == Form.STATEFUL_SET && choices.nextInt(4) == 0) {
            scale();
        }
        livesLeft--;
        pod = next();
        phase = Phase.ABSENT;
    }

    private void delete(PoolAgent agent, String uid) {
        stage.history().request(name, "DEL of " + uid);
        try {
            agent.release(new IpamDelArgs("container", "eth0", "", identity(uid)));
        } catch (SpiderpoolAgentException failed) {
            stage.history().event(name, "DEL of %s failed: %s".formatted(uid, failed.words()));
        }
    }

    /// The set has no pods for a while.
    private void scale() {
        stage.history().request(name, "is scaled to none");
        witness.abandon(record().pod());
        if (choices.nextBoolean()) {
            objects.showStatefulSet(name, name, 0);
        } else {
            objects.removeStatefulSet(name, name);
        }
        rest(LIFE_MILLISECONDS_MAX);
        objects.showStatefulSet(name, name, 1);
    }

    /// The set is removed for good.
    void retire() {
        if (form == Form.STATEFUL_SET) {
            witness.abandon(record().pod());
            objects.removeStatefulSet(name, name);
        }
    }

    private void rest(long millisecondsMax) {
        stage.rest(choices, millisecondsMax);
    }
}
