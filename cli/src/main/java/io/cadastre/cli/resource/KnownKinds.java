package io.cadastre.cli.resource;

import io.cadastre.cli.command.UsageException;
import io.cadastre.wire.book.ResourceKind;
import io.cadastre.wire.calico.resource.CalicoKinds;
import io.cadastre.wire.cilium.CiliumKinds;
import io.cadastre.wire.kubernetes.CoreKind;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrKinds;
import io.cadastre.wire.spiderpool.objects.SpiderKinds;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The kinds of all dialects, by the words of users.
final class KnownKinds {

    static final List<ResourceKind> ALL = Stream.<List<? extends ResourceKind>>of(
                    CalicoKinds.ALL, SpiderKinds.ALL, CiliumKinds.ALL, ClusterCidrKinds.ALL, CoreKind.ALL)
            .<ResourceKind>flatMap(List::stream)
            .toList();

    private KnownKinds() {}

    /// The kind that a user typed.
    static ResourceKind parse(String typed) {
        return ALL.stream()
                .filter(kind -> kind.isCalled(typed))
                .findFirst()
                .orElseThrow(() -> new UsageException("unknown kind '%s'; known kinds: %s"
                        .formatted(
                                typed,
                                ALL.stream().map(kind -> kind.traits().plural()).collect(Collectors.joining(", ")))));
    }

    /// The kinds that a document may mean by its word, one for each version of the API.
    static List<ResourceKind> ofDocument(String word) {
        return ALL.stream().filter(kind -> kind.word().equals(word)).toList();
    }
}
