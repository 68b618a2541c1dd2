package io.cadastre.verification.simulation.block;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Missing;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockItem;
import io.cadastre.engine.block.BlockListing;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.registry.Page;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.calico.CalicoKeys;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// The documents that are there before the first request, and all documents in one look.
public final class BlockWorld {

    /// A field that Cadastre does not know and must keep.
    static final String FOREIGN = "\"written_by_another\":\"kept\"";

    /// A handle that holds one address from the beginning and is never asked about.
    static final String ANCIENT = "ancient";

    private final Datastore store;
    private final BlockPlan plan;
    private final CalicoBook book;
    private final InstantSource clock;
    private List<String> foreignKeys = List.of();

    public BlockWorld(Datastore store, BlockPlan plan, InstantSource clock) {
        this.store = store;
        this.plan = plan;
        this.clock = clock;
        this.book = new CalicoBook(store, clock);
    }

    public static String host(int number) {
        return "node-" + number;
    }

    /// The address of the [#ANCIENT] handle.
    Address ancientAddress() {
        return plan.pools().getFirst().cidr().first();
    }

    /// The keys of documents that have the [#FOREIGN] field from the beginning to the end.
    List<String> foreignKeys() {
        return foreignKeys;
    }

    private String ancientBlock() {
        return store.list(CalicoKeys.blocks(Family.IPV4), Datastore.PAGE_DOCUMENTS_MAX).documents().stream()
                .filter(document -> document.key().contains("/10.20.0.0-"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("there is no ancient block"))
                .key();
    }

    public void found() {
        for (int number = 1; number <= BlockPlan.HOSTS; number++) {
            create(CalicoKeys.NODES + host(number), node(number));
        }
        for (var pool : plan.pools()) {
            create(CalicoKeys.POOLS + pool.name(), pool(pool, Serving.ENABLED));
        }
        enact(view -> BlockEngine.assignAddress(
                view, AssignAddressRequest.of(ancientAddress(), host(1), Requester.of(ANCIENT), clock.instant())));
        create(CalicoKeys.CONFIG, config(plan.config()));
        foreignKeys = List.of(CalicoKeys.CONFIG, CalicoKeys.HANDLES + ANCIENT, ancientBlock());
        foreignKeys.forEach(this::addForeignField);
    }

    private void create(String key, String json) {
        require(store.commit(List.of(new Write.Create(key, Bytes.ofUtf8(json)))));
    }

    private void addForeignField(String key) {
        var document = store.get(key).orElseThrow();
        var json = document.value().utf8();
        var longer = json.substring(0, json.lastIndexOf('}')) + "," + FOREIGN + "}";
        require(store.commit(List.of(new Write.Update(key, Bytes.ofUtf8(longer), document.revision()))));
    }

    private static void require(Commit commit) {
        if (!(commit instanceof Commit.Done)) {
            throw new AssertionError("the world could not be founded: " + commit);
        }
    }

    private static String node(int number) {
        return """
            {"kind":"Node","apiVersion":"projectcalico.org/v3","metadata":{"name":"%s","labels":{%s}},\
            "spec":{"orchRefs":[{"nodeName":"%s","orchestrator":"k8s"}]},"status":{}}\
            """.formatted(
                        host(number), special(number) ? "\"%s\":\"\"".formatted(BlockPlan.SPECIAL) : "", host(number));
    }

    private static String config(IpamConfig config) {
        return """
            {"strict_affinity":%b,"auto_allocate_blocks":%b,"maxBlocksPerHost":%d,\
            "ipCooldownSeconds":%d}\
            """.formatted(
                        config.strictAffinity(),
                        config.autoAllocateBlocks(),
                        config.maxBlocksPerHost(),
                        config.cooldownSeconds());
    }

    private static boolean special(int host) {
        return host % 2 == 0;
    }

    /// Whether the host keeps some addresses of each block for itself.
    static boolean windows(String host) {
        return host.equals(host(7)) || host.equals(host(8));
    }

    /// Whether a pool gives anything.
    enum Serving {
        ENABLED,
        DISABLED
    }

    static String pool(BlockPlan.PoolPlan pool, Serving serving) {
        return """
            {"kind":"IPPool","apiVersion":"projectcalico.org/v3","metadata":{"name":"%s"},\
            "spec":{"cidr":"%s","blockSize":%d,"nodeSelector":"%s","allowedUses":[%s],"disabled":%b}}\
            """.formatted(
                pool.name(),
                pool.cidr(),
                pool.blockLength(),
                pool.nodeSelector(),
                String.join(",", pool.uses().stream().map("\"%s\""::formatted).toList()),
                serving == Serving.DISABLED);
    }

    static String reservation(String name, List<String> cidrs) {
        return """
            {"kind":"IPReservation","apiVersion":"projectcalico.org/v3","metadata":{"name":"%s"},\
            "spec":{"reservedCIDRs":[%s]}}\
            """.formatted(
                name, String.join(",", cidrs.stream().map("\"%s\""::formatted).toList()));
    }

    /// Everything there is.
    public BlockView everything() {
        var allMissing = new ArrayList<Missing>();
        allMissing.add(new BlockItem.OfConfig());
        allMissing.add(new BlockListing.OfPools());
        allMissing.add(new BlockListing.OfReservations());
        allMissing.add(new BlockListing.OfAllAffinities());
        allMissing.add(new BlockListing.OfHandles());
        for (var family : Family.values()) {
            allMissing.add(new BlockListing.OfBlocks(family));
        }
        for (int number = 1; number <= BlockPlan.HOSTS; number++) {
            allMissing.add(new BlockItem.OfNode(host(number)));
        }
        Page<BlockView, BlockChange> page = book.open();
        for (var missing : allMissing) {
            page = page.reading(missing);
        }
        return page.view();
    }

    /// Decides and writes without any faults, and returns the outcome.
    <O> O enact(Function<BlockView, Decision<BlockChange, O>> law) {
        Page<BlockView, BlockChange> page = book.open();
        // Ends: each round reads something that was missing.
        while (true) {
            try {
                var decision = law.apply(page.view());
                var commit = page.with(decision.changes()).save();
                if (!(commit instanceof Commit.Done)) {
                    throw new AssertionError("there is no other writer, and yet: " + commit);
                }
                return decision.outcome();
            } catch (NotReadException notRead) {
                page = page.reading(notRead.missing());
            }
        }
    }
}
