package io.cadastre.cli.resource;

import io.cadastre.cli.command.UsageException;
import io.cadastre.wire.calico.CalicoStructs;
import io.cadastre.wire.calico.resource.Resources;
import io.cadastre.wire.json.GoStruct;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderObjects;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// The kinds of things that can be shown, and some of them stored and deleted, by name.
enum ResourceKind {
    POOL("IPPool", "ippools"),
    RESERVATION("IPReservation", "ipreservations"),
    CONFIGURATION("IPAMConfiguration", "ipamconfigurations"),
    NODE("Node", "nodes"),
    CLUSTER("ClusterInformation", "clusterinformations"),
    BLOCK("IPAMBlock", "ipamblocks"),
    AFFINITY("BlockAffinity", "blockaffinities"),
    HANDLE("IPAMHandle", "ipamhandles"),
    SPIDER_POOL("SpiderIPPool", "spiderippools"),
    SPIDER_RESERVED("SpiderReservedIP", "spiderreservedips"),
    SPIDER_ENDPOINT("SpiderEndpoint", "spiderendpoints");

    /// All of them, for help and complaints.
    static final String ALL = Arrays.stream(values()).map(kind -> kind.plural).collect(Collectors.joining(", "));

    private final String word;
    private final String plural;

    ResourceKind(String word, String plural) {
        this.word = word;
        this.plural = plural;
    }

    /// The kind that a user typed.
    static ResourceKind parse(String typed) {
        var lower = typed.toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(kind -> kind.plural.equals(lower) || kind.singular().equals(lower))
                .findFirst()
                .orElseThrow(() -> new UsageException("unknown kind '%s'; known kinds: %s".formatted(typed, ALL)));
    }

    /// The kind that a document names.
    static Optional<ResourceKind> ofDocument(String kind) {
        return Arrays.stream(values()).filter(known -> known.word.equals(kind)).findFirst();
    }

    /// As what it is stored by name; empty if it has another way, or none.
    Optional<Resources.Kind> stored() {
        return switch (this) {
            case POOL -> Optional.of(Resources.Kind.POOL);
            case RESERVATION -> Optional.of(Resources.Kind.RESERVATION);
            case NODE -> Optional.of(Resources.Kind.NODE);
            case CLUSTER -> Optional.of(Resources.Kind.CLUSTER);
            case CONFIGURATION, BLOCK, AFFINITY, HANDLE, SPIDER_POOL, SPIDER_RESERVED, SPIDER_ENDPOINT ->
                Optional.empty();
        };
    }

    /// The kind of Spiderpool's objects that users write; empty if it is not one of those.
    Optional<SpiderObjects.Kind> written() {
        return switch (this) {
            case SPIDER_POOL -> Optional.of(SpiderObjects.Kind.POOL);
            case SPIDER_RESERVED -> Optional.of(SpiderObjects.Kind.RESERVED);
            case POOL, RESERVATION, CONFIGURATION, NODE, CLUSTER, BLOCK, AFFINITY, HANDLE, SPIDER_ENDPOINT ->
                Optional.empty();
        };
    }

    /// The fields that a document of this kind may have; empty for kinds that users do not write.
    Optional<GoStruct> struct() {
        return switch (this) {
            case POOL -> Optional.of(CalicoStructs.POOL);
            case RESERVATION -> Optional.of(CalicoStructs.RESERVATION);
            case CONFIGURATION -> Optional.of(CalicoStructs.CONFIGURATION);
            case NODE -> Optional.of(CalicoStructs.NODE);
            case CLUSTER -> Optional.of(CalicoStructs.CLUSTER);
            case SPIDER_POOL, SPIDER_RESERVED -> written().map(SpiderObjects.Kind::struct);
            case BLOCK, AFFINITY, HANDLE, SPIDER_ENDPOINT -> Optional.empty();
        };
    }

    /// What a document of this kind says of its version.
    String apiVersion() {
        return switch (this) {
            case SPIDER_POOL, SPIDER_RESERVED, SPIDER_ENDPOINT -> SpiderKeys.API_VERSION;
            case POOL, RESERVATION, CONFIGURATION, NODE, CLUSTER, BLOCK, AFFINITY, HANDLE -> "projectcalico.org/v3";
        };
    }

    /// In documents.
    String word() {
        return word;
    }

    String plural() {
        return plural;
    }

    /// In front of a name, for example `ippool/default`.
    String singular() {
        return word.toLowerCase(Locale.ROOT);
    }
}
