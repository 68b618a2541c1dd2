package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.PodRoute;
import io.cadastre.wire.json.Fields;
import java.util.List;
import java.util.stream.Stream;

/// A pool as a user writes it. Its fields have the right types, and need not make sense.
///
/// @param version what is written for the family; empty if nothing is
/// @param selectorFaults what is wrong with its selectors
/// @param podSelection whether it has a selector of pods that selects all
record WrittenPool(
        String version,
        String subnet,
        List<String> ips,
        List<String> excludeIps,
        String gateway,
        List<PodRoute> routes,
        List<ObjectFault> selectorFaults,
        PodSelection podSelection) {

    /// Which pods a pool is for.
    enum PodSelection {
        /// It has a selector with nothing in it.
        EMPTY,
        ALL_OR_SOME
    }

    /// @throws io.cadastre.wire.json.UnreadableDocumentException if a field has another type than it should
    static WrittenPool read(ObjectNode pool) {
        var reader = new Fields("");
        var spec = reader.object(pool, Trees.SPEC);
        var version = spec.path("ipVersion");
        var selectorFaults = Stream.of("podAffinity", "nodeAffinity", "namespaceAffinity")
                .flatMap(name -> SelectorForm.faults(reader, spec, name).stream())
                .toList();
        boolean emptySelector = selectorFaults.isEmpty()
                && PoolForm.affinity(reader, spec)
                        .pods()
                        .filter(selector -> selector.empty())
                        .isPresent();
        return new WrittenPool(
                Fields.absent(version) ? "" : Integer.toString(reader.integer(version, "spec.ipVersion")),
                reader.text(spec, "subnet"),
                reader.texts(spec, "ips"),
                reader.texts(spec, "excludeIPs"),
                reader.text(spec, "gateway"),
                PoolForm.routes(reader, spec, "routes"),
                selectorFaults,
                emptySelector ? PodSelection.EMPTY : PodSelection.ALL_OR_SOME);
    }

    /// The pool with its subnet, which must be a CIDR.
    Sized sized() {
        var prefix = IpText.network(subnet).orElseThrow();
        return new Sized(this, prefix, set(ips, prefix.family()).minus(set(excludeIps, prefix.family())));
    }

    /// Texts that are not ranges have no addresses.
    private static RangeSet set(List<String> texts, Family family) {
        return new RangeSet(texts.stream()
                .flatMap(text -> IpText.range(family, text).stream())
                .toList());
    }

    /// A pool whose subnet makes sense.
    ///
    /// @param effective the addresses that it gives
    record Sized(WrittenPool written, Prefix subnet, RangeSet effective) {}
}
