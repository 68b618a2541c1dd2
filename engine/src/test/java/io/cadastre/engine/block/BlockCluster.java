package io.cadastre.engine.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.index.BlockSnapshot;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/// A small cluster in memory, to which decisions are applied one after another. Every stopping point
/// of every decision is surveyed.
final class BlockCluster {

    private BlockSnapshot known;
    private Instant now = Fixtures.NOW;

    private BlockCluster(BlockSnapshot known) {
        this.known = known;
    }

    /// Some pools, and the nodes node-a, node-b, host-a and host-b.
    static BlockCluster with(IpPool... pools) {
        var cluster = new BlockCluster(BlockSnapshot.empty()).pools(pools);
        return cluster.node("node-a").node("node-b").node("host-a").node("host-b");
    }

    static IpPool pool(String name, String cidr) {
        return IpPool.of(name, Prefix.parse(cidr));
    }

    static IpPool pool(String name, String cidr, int blockLength) {
        return pool(name, cidr).withBlockLength(blockLength);
    }

    BlockCluster pools(IpPool... pools) {
        known = known.withNone(new BlockListing.OfPools());
        for (var pool : pools) {
            known = known.with(BlockItem.of(pool), pool);
        }
        return this;
    }

    BlockCluster node(String name, String... labels) {
        known = known.with(new BlockItem.OfNode(name), Node.of(name, Fixtures.labels(labels)));
        return this;
    }

    BlockCluster config(IpamConfig config) {
        known = known.with(new BlockItem.OfConfig(), config);
        return this;
    }

    BlockCluster reserve(String... cidrs) {
        known = known.with(
                new BlockItem.OfReservation("reserved"),
                Reservations.of(Arrays.stream(cidrs).map(Prefix::parse).toList()));
        return this;
    }

    BlockCluster block(Block block) {
        known = known.with(BlockItem.of(block), block);
        return this;
    }

    BlockCluster affinity(Affinity affinity) {
        known = known.with(BlockItem.of(affinity), affinity);
        return this;
    }

    BlockCluster handle(Handle handle) {
        known = known.with(BlockItem.of(handle), handle);
        return this;
    }

    BlockCluster later(Duration duration) {
        now = now.plus(duration);
        return this;
    }

    Instant now() {
        return now;
    }

    BlockSnapshot view() {
        return known;
    }

    void look(BlockSnapshot view) {
        known = view;
    }

    /// Applies a decision, change by change, and gives its outcome.
    <O> O enact(Decision<BlockChange, O> decision) {
        for (var change : decision.changes()) {
            apply(change);
        }
        return decision.outcome();
    }

    /// Applies the first changes of a decision only, as if the process had died after them.
    void enactFirst(int count, Decision<BlockChange, ?> decision) {
        decision.changes().stream().limit(count).forEach(this::apply);
    }

    private void apply(BlockChange change) {
        assertThat(BlockSurvey.ofChange(known, change)).as(change.sentence()).isEmpty();
        known = known.with(change);
        assertThat(BlockSurvey.of(known)).as("after: " + change.sentence()).isEmpty();
    }

    AssignRequest request(String host) {
        return AssignRequest.on(host, AddressUse.WORKLOAD, now);
    }

    Assignment assign(AssignRequest request) {
        var decision = BlockEngine.assign(known, request);
        assertThat(BlockSurvey.ofAssignment(known, request, decision)).isEmpty();
        return enact(decision);
    }

    /// Asks for IPv4 addresses and gives their texts.
    List<String> assign(String host, int count) {
        return texts(assign(request(host).ipv4(Ask.of(count))));
    }

    List<String> assign(String host, int count, String handle) {
        return texts(assign(request(host).ipv4(Ask.of(count)).by(Requester.of(handle))));
    }

    static List<String> texts(Assignment assignment) {
        return assignment.addresses().stream().map(Object::toString).toList();
    }

    AddressAssignment assignAddress(String host, String address, String handle) {
        return enact(BlockEngine.assignAddress(
                known, AssignAddressRequest.of(Fixtures.address(address), host, Requester.of(handle), now)));
    }

    Release release(ReleaseOption... options) {
        return enact(BlockEngine.release(known, List.of(options), Attempts.first(now)));
    }

    HandleRelease releaseByHandle(String handle) {
        return enact(BlockEngine.releaseByHandle(known, handle, Attempts.first(now)));
    }

    Block block(String cidr) {
        return known.findBlock(Prefix.parse(cidr)).orElseThrow();
    }

    List<String> blocks() {
        return known.blocks(Family.IPV4).stream()
                .map(block -> block.cidr().toString())
                .toList();
    }

    List<String> affinities(String host) {
        return known.affinitiesOf(Owner.host(host), Family.IPV4).stream()
                .map(affinity -> affinity.cidr() + " " + affinity.state().word())
                .toList();
    }
}
