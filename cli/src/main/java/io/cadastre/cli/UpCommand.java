package io.cadastre.cli;

import io.cadastre.wire.calico.CalicoKeys;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.concurrent.Callable;

@Command(
        name = "up",
        description = {
            "Run all that this machine needs, until interrupted: the store and the agent.",
            "Other commands can be used beside it, on the same store."
        },
        footer = {
            "Examples:",
            "  cadastre up",
            "  cadastre up --node node-1 --data-dir /tmp/trial"
        })
final class UpCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Mixin private final NodeOption node = new NodeOption();
    @Mixin private final AgentOptions agentOptions = new AgentOptions();
    @Mixin private final StoreOptions storeOptions = new StoreOptions();

    UpCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        var environment = surroundings.environment();
        var settings = agentOptions.settings(storeOptions, environment);
        var name = node.name();
        return new AgentRun(surroundings, storeOptions, settings, name)
                .run(
                        () -> {
                            var out = surroundings.out();
                            out.println("node    " + name);
                            out.println("store   " + store());
                            out.println("socket  " + settings.socket());
                            out.println("spool   " + settings.spool());
                            if (!hasPools()) {
                                out.println(HOW_TO_GET_A_POOL);
                            }
                            out.println("Interrupt with Ctrl-C.");
                        });
    }

    private static final String HOW_TO_GET_A_POOL =
            """
            There is no pool yet, so no address can be given. Apply one in another terminal:
              cadastre apply -f - <<'EOF'
              apiVersion: projectcalico.org/v3
              kind: IPPool
              metadata: {name: default}
              spec: {cidr: 10.244.0.0/16}
              EOF\
            """;

    private String store() {
        var environment = surroundings.environment();
        return switch (storeOptions.kind(environment)) {
            case EMBEDDED -> Office.storeIn(storeOptions.dataDirectory(environment)).toString();
            case ETCD -> "etcd";
            case KUBERNETES -> "the Kubernetes API";
        };
    }

    private boolean hasPools() {
        try (var desk = IpamDesk.at(Office.openToLook(storeOptions, surroundings))) {
            return !desk.office().datastore().list(CalicoKeys.POOLS, 1).documents().isEmpty();
        }
    }
}
