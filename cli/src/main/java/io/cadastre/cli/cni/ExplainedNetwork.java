package io.cadastre.cli.cni;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.agent.ServedPlugins;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.run.AgentRun;
import io.cadastre.cni.runtime.NetworkList;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.Members;
import io.cadastre.wire.cni.NetworkConfig;
import io.cadastre.wire.json.Json;
import java.util.Optional;
import java.util.Set;

/// A network whose addresses are given by rules that can be explained.
///
/// @param config that of the plugin whose `ipam` part says where addresses come from
record ExplainedNetwork(NetworkConfig config, Law law) {

    private static final Set<String> MAIN_PLUGINS = Set.of("calico", "cadastre-net");

    /// The name of the pod network in Calico's own installation.
    private static final String PODS = "k8s-pod-network";

    /// The rules by which addresses are given.
    enum Law {
        CALICO,
        HOST_LOCAL,
        SPIDERPOOL
    }

    /// The network of pods as Calico installs it, which leaves all to the pools.
    static ExplainedNetwork ofPods() {
        return of(PODS, "{\"type\":\"calico-ipam\"}");
    }

    /// A network whose addresses are of Spiderpool's pools.
    ///
    /// @param ipam a JSON object; empty for one that names no pools
    static ExplainedNetwork ofPools(String ipam) {
        var network = of("", ipam.isEmpty() ? "{\"type\":\"spiderpool\"}" : ipam);
        if (network.law() != Law.SPIDERPOOL) {
            throw new UsageException("--ipam: its type must be spiderpool");
        }
        return network;
    }

    /// A network of which no more is known than its name and where its addresses come from.
    ///
    /// @param ipam a JSON object
    static ExplainedNetwork of(String name, String ipam) {
        var config = Json.emptyObject()
                .put("cniVersion", "1.0.0")
                .put("name", name.isEmpty() ? PODS : name)
                .put("type", "calico");
        try {
            config.set("ipam", Members.parse(Bytes.ofUtf8(ipam)).tree());
        } catch (CniException malformed) {
            throw new UsageException("--ipam: %s; write a JSON object, for example {\"type\":\"calico-ipam\"}"
                    .formatted(malformed.error().sentence()));
        }
        return find(config)
                .orElseThrow(() -> new CommandRefusedException("--ipam: its type must be one of " + EXPLAINED));
    }

    /// The plugin of a network that gets addresses by rules that can be explained.
    ///
    /// @throws CommandRefusedException if none does
    static ExplainedNetwork in(NetworkList network) {
        return network.plugins().stream()
                .map(plugin -> plugin.config().tree())
                .map(tree -> tree.put("name", network.name()).put("cniVersion", network.cniVersion()))
                .flatMap(tree -> find(tree).stream())
                .findFirst()
                .orElseThrow(() -> new CommandRefusedException(
                        "network %s has no plugin whose ipam.type is one of %s".formatted(network.name(), EXPLAINED)));
    }

    private static final String EXPLAINED =
            "calico-ipam, host-local, spiderpool and cadastre-ipam, whose decisions can be" + " explained";

    private static Optional<ExplainedNetwork> find(ObjectNode tree) {
        var config = NetworkConfig.read(Json.write(tree));
        return law(config).map(law -> new ExplainedNetwork(config, law));
    }

    private static Optional<Law> law(NetworkConfig config) {
        var type = config.ipam().map(ipam -> ipam.text("type")).orElse("");
        return switch (type) {
            case "calico-ipam" -> Optional.of(Law.CALICO);
            case "host-local" -> Optional.of(Law.HOST_LOCAL);
            case "spiderpool" -> Optional.of(Law.SPIDERPOOL);
            case ServedPlugins.OWN_NAME ->
                switch (ServedPlugins.dialect(config, AgentRun.DIALECT)) {
                    case "calico" -> Optional.of(Law.CALICO);
                    case "host-local" -> Optional.of(Law.HOST_LOCAL);
                    case "spiderpool" -> Optional.of(Law.SPIDERPOOL);
                    default -> Optional.empty();
                };
            default -> Optional.empty();
        };
    }

    /// Whether the plugin reads what pods ask for by annotations, as Calico's does.
    boolean mainPlugin() {
        return MAIN_PLUGINS.contains(config.type());
    }

    ExplainedNetwork with(NetworkConfig other) {
        return new ExplainedNetwork(other, law);
    }
}
