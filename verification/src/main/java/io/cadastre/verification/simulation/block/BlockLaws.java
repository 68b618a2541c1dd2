package io.cadastre.verification.simulation.block;

import static java.time.temporal.ChronoUnit.SECONDS;

import io.cadastre.address.Family;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Survey;
import io.cadastre.engine.block.Attribute.Cooling;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockSurvey;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Owner;
import io.cadastre.verification.simulation.runtime.Simulation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What must hold in every state of the store, and from each state to the next.
final class BlockLaws {

    /// Instants that actors are given differ from the scheduler's by less.
    private static final Duration INSTANTS_APART_MAX = Duration.ofMillis(10);

    /// One commit writes a block this often at most, once for each of its requests.
    private static final long NUMBERS_PER_COMMIT_MAX = 100;

    private final Simulation stage;
    private final BlockPlan plan;
    private final BlockWorld cluster;
    private final Map<String, Integer> caps = new TreeMap<>();

    /// When the last request about a handle was made.
    private final Map<String, Instant> lastAsked = new TreeMap<>();

    BlockLaws(Simulation stage, BlockPlan plan, BlockWorld cluster) {
        this.stage = stage;
        this.plan = plan;
        this.cluster = cluster;
    }

    /// Every request for this handle has this limit.
    void limit(String handle, int addressesMax) {
        caps.put(handle, addressesMax);
    }

    boolean limited(String handle) {
        return caps.containsKey(handle);
    }

    /// Looks at two states that follow each other.
    ///
    /// @param holdings the holdings after it
    /// @throws AssertionError if the store went from one to the other against a rule
    void check(BlockState before, BlockState after, List<Holding> holdings) {
        survey(after.view(), holdings);
        checkNumbers(before, after);
        checkKept(before, after);
        checkCooling(before, after);
        checkCaps(after);
        checkForeignFields();
    }

    private static void survey(BlockView view, List<Holding> holdings) {
        var violations = BlockSurvey.of(view);
        if (!violations.isEmpty()) {
            throw new AssertionError(
                    "the survey of blocks found: " + violations.getFirst().sentence());
        }
        var overlaps = Survey.of(holdings);
        if (!overlaps.isEmpty()) {
            throw new AssertionError("the survey found: " + overlaps.getFirst().sentence());
        }
    }

    /// An address that gets another holder gets a new number, since its releaser identifies it by the
    /// number.
    private static void checkNumbers(BlockState before, BlockState after) {
        for (var block : after.blocks()) {
            before.view()
                    .findBlock(block.cidr())
                    .filter(former -> !former.equals(block))
                    .ifPresent(former -> checkNumbers(former, block));
        }
    }

    private static void checkNumbers(Block former, Block block) {
        for (int ordinal = 0; ordinal < block.size(); ordinal++) {
            if (former.attribute(ordinal).orElse(null) instanceof Held one
                    && block.attribute(ordinal).orElse(null) instanceof Held other
                    && !one.cleanHandle().equals(other.cleanHandle())
                    && former.sequenceOf(ordinal) == block.sequenceOf(ordinal)) {
                throw new AssertionError("%s went from %s to %s and kept its number"
                        .formatted(block.address(ordinal), one.cleanHandle(), other.cleanHandle()));
            }
        }
    }

    /// What Windows reserves is not given as long as its host has the block, and as long as the
    /// block has no owner after that.
    private static void checkKept(BlockState before, BlockState after) {
        for (var former : before.blocks()) {
            after.view()
                    .findBlock(former.cidr())
                    .filter(block -> block.owner().equals(former.owner()))
                    .filter(block -> block.claimedAt().equals(former.claimedAt()))
                    .filter(block -> sameLife(former, block))
                    .ifPresent(block -> checkKept(former, block));
        }
    }

    /// Whether the block was not deleted and made anew in between. That may happen in one commit and within
    /// the second that a claim is dated by, so only the numbers show it: a block begins with its time in
    /// nanoseconds and counts on from there, and instants that are given are further apart than a commit
    /// counts.
    private static boolean sameLife(Block former, Block block) {
        long counted = block.sequence() - former.sequence();
        return counted >= 0 && counted <= NUMBERS_PER_COMMIT_MAX;
    }

    private static void checkKept(Block former, Block block) {
        for (int ordinal = 0; ordinal < block.size(); ordinal++) {
            if (keptByWindows(former, ordinal) && !keptByWindows(block, ordinal)) {
                throw new AssertionError("%s was kept by Windows and is no more".formatted(block.address(ordinal)));
            }
        }
    }

    private static boolean keptByWindows(Block block, int ordinal) {
        return block.attribute(ordinal).orElse(null) instanceof Held held && held.keptByWindows();
    }

    /// Notes that a request about the handle was made.
    void asked(String handle) {
        lastAsked.put(handle, stage.scheduler().instant());
    }

    /// An address that is given back rests as long as is configured, where that does not change. The rest
    /// counts from the second in which that was asked for: it may be over when this is saved, in one commit
    /// with what gives the address to another or gives up its block.
    private void checkCooling(BlockState before, BlockState after) {
        var rest = Duration.ofSeconds(plan.config().cooldownSeconds());
        if (plan.regime() != BlockPlan.Regime.LIMITED || rest.isZero()) {
            return;
        }
        var now = stage.scheduler().instant().plus(INSTANTS_APART_MAX);
        for (var former : before.blocks()) {
            for (int ordinal = 0; ordinal < former.size(); ordinal++) {
                var address = former.address(ordinal);
                switch (former.attribute(ordinal).orElse(null)) {
                    case Cooling(var since)
                    when now.isBefore(since.plus(rest)) -> {
                        if (!after.findAttribute(address).equals(former.attribute(ordinal))) {
                            throw new AssertionError(
                                    "%s rests since %s and did not rest for %s".formatted(address, since, rest));
                        }
                    }
                    case Held held -> {
                        var asked = lastAsked.getOrDefault(held.cleanHandle(), now);
                        if (after.findAttribute(address).isEmpty()
                                && now.isBefore(asked.truncatedTo(SECONDS).plus(rest))) {
                            throw new AssertionError(
                                    "%s was given back and did not rest for %s".formatted(address, rest));
                        }
                    }
                    case null, default -> {}
                }
            }
        }
    }

    /// Without transactions a block is announced before it is there, or turns out to be another's.
    private int blocksOf(BlockState scene, Owner host, Family family) {
        return plan.atomic()
                ? scene.view().affinitiesOf(host, family).size()
                : scene.view().blocksOf(host, family).size();
    }

    /// A handle may count more than its holder has, where the store has no transactions.
    private static int held(BlockState scene, String handle, Family family) {
        return scene.blocks().stream()
                .filter(block -> block.cidr().family() == family)
                .mapToInt(block -> block.ordinalsOf(handle).length)
                .sum();
    }

    /// No limit is exceeded, not by one and not for an instant.
    private void checkCaps(BlockState scene) {
        for (var family : Family.values()) {
            caps.forEach((handle, cap) -> {
                int count = held(scene, handle, family);
                if (count > cap) {
                    throw new AssertionError("%s holds %d addresses, more than %d".formatted(handle, count, cap));
                }
            });
            if (plan.regime() == BlockPlan.Regime.LIMITED && plan.arrivesInTime()) {
                for (int number = 1; number <= BlockPlan.HOSTS; number++) {
                    var host = Owner.host(BlockWorld.host(number));
                    int blocks = blocksOf(scene, host, family);
                    if (blocks > plan.config().maxBlocksPerHost()) {
                        throw new AssertionError("%s has %d blocks, more than %d"
                                .formatted(host, blocks, plan.config().maxBlocksPerHost()));
                    }
                }
            }
        }
    }

    private void checkForeignFields() {
        for (var key : cluster.foreignKeys()) {
            boolean kept = stage.store()
                    .get(key)
                    .filter(it -> it.value().utf8().contains(BlockWorld.FOREIGN))
                    .isPresent();
            if (!kept) {
                throw new AssertionError(key + " lost what another program wrote into it");
            }
        }
    }
}
