package io.cadastre.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.concurrent.Callable;

@Command(
        name = "agent",
        description = {
            "Answer the calls of CNI plugins on this node, until interrupted.",
            "The node gets a Node document if it has none. What plugins left in the spool while no"
                    + " agent ran is done first. See 'cadastre cni install' for the plugins."
        },
        footer = {
            "Examples:",
            "  cadastre agent",
            "  cadastre agent --node node-1 --datastore etcdv3"
        })
final class AgentCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Mixin private final NodeOption node = new NodeOption();
    @Mixin private final AgentOptions agentOptions = new AgentOptions();
    @Mixin private final RetentionOptions retention = new RetentionOptions();
    @Mixin private final StoreOptions storeOptions = new StoreOptions();

    AgentCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        var settings = agentOptions.settings(storeOptions, surroundings.environment());
        var name = node.name();
        return new AgentRun(surroundings, storeOptions, settings, name, retention.bounds())
                .run(
                        () ->
                                surroundings
                                        .out()
                                        .println(
                                                "agent of node %s answers on %s"
                                                        .formatted(name, settings.socket())));
    }
}
