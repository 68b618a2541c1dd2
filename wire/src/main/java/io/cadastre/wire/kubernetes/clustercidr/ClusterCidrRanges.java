package io.cadastre.wire.kubernetes.clustercidr;

import io.cadastre.address.SloppyText;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.Holding;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidr;
import java.util.List;
import java.util.stream.Stream;

/// The ranges of ClusterCIDRs, for other dialects to keep away from.
public final class ClusterCidrRanges {

    private ClusterCidrRanges() {}

    /// Those of all ClusterCIDRs in a store.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if one of them cannot be read
    public static List<Holding> fetch(Datastore store) {
        return Stream.of(ClusterCidrGroup.values())
                .flatMap(group -> store.listAll(group.keys()).documents().stream())
                .map(ClusterCidrDocument::decode)
                .flatMap(document -> of(document.clusterCidr()).stream())
                .toList();
    }

    /// What cannot be read gives no addresses.
    static List<Holding> of(ClusterCidr clusterCidr) {
        return Stream.of(clusterCidr.spec().ipv4(), clusterCidr.spec().ipv6())
                .flatMap(text -> SloppyText.parsePrefix(text).stream())
                .map(cidr -> new Holding(
                        cidr.range(),
                        Holding.Level.POOL,
                        "%s(%s)".formatted(ClusterCidrGroup.KIND, clusterCidr.name()),
                        Holding.State.HELD))
                .toList();
    }
}
