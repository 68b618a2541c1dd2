package io.cadastre.verification.benchmarks;

import io.cadastre.address.Address;
import io.cadastre.datastore.Document;
import io.cadastre.wire.calico.BlockDocument;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKeys;
import java.util.List;
import java.util.stream.IntStream;

/// What blocks say about their addresses.
final class StoredBlocks {

    private StoredBlocks() {}

    /// The addresses of a block that are held.
    static List<Address> addresses(Document document) {
        var key = CalicoKeys.parse(document.key()).orElseThrow();
        var block = ((BlockDocument) CalicoDocument.decode(key, document.value())).block();
        return IntStream.range(0, block.size())
                .filter(ordinal -> block.attribute(ordinal).isPresent())
                .mapToObj(block::address)
                .toList();
    }
}
