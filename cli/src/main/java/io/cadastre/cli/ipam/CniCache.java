package io.cadastre.cli.ipam;

import com.fasterxml.jackson.databind.JsonNode;
import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.HolderFacts;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.Holding.State;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.InterfaceAddress;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.survey.StoreRanges;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Containers of this node, by the results that `libcni` has cached.
///
/// Every runtime and network of the machine has its results in one directory; those of other networks have
/// addresses of no pool of the store.
///
/// @param ranges those of the store
record CniCache(Path results, String node, StoreRanges ranges, CommandContext context) {

    /// Those whose network namespace exists or is not recorded.
    List<HolderClaim> claims() {
        if (!Files.isDirectory(results)) {
            return List.of();
        }
        var claims = new ArrayList<HolderClaim>();
        var foreign = new ArrayList<Address>();
        try (var files = Files.newDirectoryStream(results, Files::isRegularFile)) {
            for (var file : files) {
                read(file, claims, foreign);
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read %s: %s".formatted(results, unreadable), unreadable);
        }
        if (!foreign.isEmpty()) {
            context.warn("%d addresses in %s belong to no pool of this store and are skipped, such as %s"
                    .formatted(foreign.size(), results, foreign.getFirst()));
        }
        return claims;
    }

    private void read(Path file, List<HolderClaim> claims, List<Address> foreign) {
        try {
            var tree = Json.readObject(file.toString(), Bytes.of(Files.readAllBytes(file)));
            var namespace = tree.path("netns").asText();
            if (!namespace.isEmpty() && !Files.exists(Path.of(namespace))) {
                return;
            }
            for (var ip : tree.path("result").path("ips")) {
                var address =
                        InterfaceAddress.parse(ip.path("address").asText()).ip();
                if (isIn(ranges.spiderpool(), address)) {
                    claims.add(ofSpiderpool(address, tree, file));
                } else if (isIn(ranges.calico(), address)) {
                    claims.add(ofCalico(address, tree, file));
                } else {
                    foreign.add(address);
                }
            }
        } catch (IOException | UnreadableDocumentException | CniException | IllegalArgumentException unreadable) {
            context.warn("%s is not a cached CNI result and is skipped: %s".formatted(file, unreadable.getMessage()));
        }
    }

    private static boolean isIn(List<Holding> pools, Address address) {
        return pools.stream().anyMatch(pool -> pool.range().contains(address));
    }

    private HolderClaim ofCalico(Address address, JsonNode tree, Path file) {
        return claim(
                address,
                HolderClaim.HANDLE + handle(tree),
                HolderFacts.ofNode(node).withHandle(handle(tree)),
                HolderClaim.Known.HOLDER,
                file);
    }

    private static String handle(JsonNode tree) {
        return tree.path("networkName").asText() + "."
                + tree.path("containerId").asText();
    }

    /// Spiderpool gives to pods. Their names are in the arguments of the call, if Kubernetes made it.
    private HolderClaim ofSpiderpool(Address address, JsonNode tree, Path file) {
        var arguments = new TreeMap<String, String>();
        tree.path("cniArgs")
                .forEach(pair ->
                        arguments.put(pair.path(0).asText(), pair.path(1).asText()));
        var namespace = arguments.getOrDefault("K8S_POD_NAMESPACE", "");
        var pod = arguments.getOrDefault("K8S_POD_NAME", "");
        var uid = arguments.getOrDefault("K8S_POD_UID", "");
        if (namespace.isEmpty() || pod.isEmpty()) {
            return claim(
                    address, HolderClaim.POD + handle(tree), HolderFacts.ofNode(node), HolderClaim.Known.ADDRESS, file);
        }
        return claim(
                address,
                HolderClaim.POD + namespace + "/" + pod + (uid.isEmpty() ? "" : "/" + uid),
                HolderFacts.ofPod(namespace, pod)
                        .withUid(uid)
                        .withNode(node)
                        .withNetworkInterface(tree.path("ifName").asText()),
                HolderClaim.Known.POD,
                file);
    }

    private static HolderClaim claim(
            Address address, String holder, HolderFacts facts, HolderClaim.Known known, Path file) {
        return new HolderClaim(
                new Holding(Range.of(address), Level.ENDPOINT, holder, State.HELD, facts), known, file.toString());
    }
}
