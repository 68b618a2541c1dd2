package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Because;
import io.cadastre.engine.block.assign.AssignedAddress;
import io.cadastre.engine.block.selector.SelectorText;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Why this law decided as it did.
public sealed interface BlockReason extends Because {

    @Override
    default String sentence() {
        return switch (this) {
            case TookPool(var pool, var cidr) -> "took pool %s, %s".formatted(pool, cidr);
            case PassedOverPool(var pool, var cidr, var rule) ->
                "passed over pool %s, %s: %s".formatted(pool, cidr, rule.words);
            case NotSelected(var pool, var cidr, var field, var selector, var subject, var labels) ->
                "passed over pool %s, %s: its %s %s does not match %s, %s"
                        .formatted(
                                pool,
                                cidr,
                                field,
                                selector,
                                subject,
                                labels.isEmpty()
                                        ? "which has none of the labels it names"
                                        : "whose labels are " + labels);
            case NotForUse(var pool, var cidr, var allowed, var use) ->
                "passed over pool %s, %s: its allowedUses are %s and not %s".formatted(pool, cidr, allowed, use);
            case TookFrom(var block, var owner, var count) ->
                "took %d from block %s of %s".formatted(count, block, owner);
            case PassedOver(var block, var rule) -> "passed over block %s: %s".formatted(block, rule.words);
            case PassedOverFull(var blocks, var owner, var first) ->
                "passed over %d blocks of %s: they are full (%s and %d more, which 'ipam show --show-blocks' lists)"
                        .formatted(
                                blocks,
                                owner,
                                first.stream().map(Prefix::toString).collect(Collectors.joining(", ")),
                                blocks - first.size());
            case Claimed(var block, var pool, var start, var skipped) ->
                "claimed block %s of pool %s: the search began at %s and skipped %s"
                        .formatted(block, pool, start, skipped);
            case Reclaimed(var block, var owner) -> "took empty block %s back from %s".formatted(block, owner);
            case Resumed(var block, var state) ->
                "block %s was %s and is confirmed again".formatted(block, state.word());
            case Recreated(var block) -> "there was an affinity for block %s but no block; created it".formatted(block);
            case GaveUp(var block, var owner, var rule) ->
                "block %s of %s was given up: %s".formatted(block, owner, rule.words);
            case Kept(var block, var why) -> "block %s was left as it is: %s".formatted(block, why);
            case Exhausted(var pool) -> "no block of %s has an address to lend".formatted(pool);
            case LimitReached(var owned, var limit) ->
                "no block was claimed: %d are owned and %d are allowed".formatted(owned, limit);
            case GivenBefore(var lease) -> "%s was given by an earlier attempt at this request".formatted(lease);
            case AttemptBarred(var document) ->
                "rewrote %s, so that an attempt without an answer cannot be applied any more".formatted(document);
            case TakenBefore(var address) ->
                "%s was taken back by an earlier attempt at this request".formatted(address);
            case HandleHasEnough(var handle, var max) ->
                "handle %s may have %d and has them already".formatted(handle, max);
            case HandleMended(var handle, var block, var counted, var held) ->
                "handle %s counted %d addresses in block %s and holds %d; mended"
                        .formatted(handle, counted, block, held);
            case HandleOff(var message) -> message;
            case Released(var address, var handle) ->
                handle.isEmpty()
                        ? "released %s".formatted(address)
                        : "released %s of handle %s".formatted(address, handle);
            case NotHeld(var address) -> "%s was not assigned".formatted(address);
            case Cold(var block, var count, var cooldown) ->
                "%d addresses of block %s are cold after %d seconds".formatted(count, block, cooldown.toSeconds());
            case AndMore(var count) -> "and %d more reasons".formatted(count);
        };
    }

    /// A pool may serve the request.
    record TookPool(String pool, Prefix cidr) implements BlockReason {}

    record PassedOverPool(String pool, Prefix cidr, PoolRule rule) implements BlockReason {}

    /// A pool selects others.
    ///
    /// @param field which of its selectors
    /// @param subject what it does not select, for example `node n`
    /// @param labels those labels of the subject that the selector names, for example `zone=a, rack=7`
    record NotSelected(String pool, Prefix cidr, String field, String selector, String subject, String labels)
            implements BlockReason {

        /// Names those labels that the selector mentions.
        ///
        /// @param all the labels of the subject
        public static NotSelected of(
                IpPool pool, String field, SelectorText selector, String subject, Map<String, String> all) {
            var named = new TreeMap<>(all)
                    .entrySet().stream()
                            .filter(label -> selector.text().contains(label.getKey()))
                            .map(label -> label.getKey() + "=" + label.getValue())
                            .collect(Collectors.joining(", "));
            return new NotSelected(pool.name(), pool.cidr(), field, selector.text(), subject, named);
        }
    }

    /// A pool is for other uses.
    ///
    /// @param allowed the uses it is for, for example `Workload, Tunnel`
    record NotForUse(String pool, Prefix cidr, String allowed, AddressUse use) implements BlockReason {

        public static NotForUse of(IpPool pool, AddressUse use) {
            return new NotForUse(
                    pool.name(),
                    pool.cidr(),
                    pool.allowedUses().stream().map(AddressUse::toString).collect(Collectors.joining(", ")),
                    use);
        }
    }

    /// Why a pool does not serve a request.
    enum PoolRule {
        DISABLED("it is disabled"),
        DELETING("it is being deleted"),
        NOT_ALLOCATABLE("it is marked as not allocatable"),
        BLOCKS_TOO_SMALL("its blocks are too small for what the host reserves"),
        NOT_REQUESTED("other pools were asked for"),
        MANUAL("its assignmentMode is Manual, so it serves only those who ask for it"),
        SELECTOR_TOO_MUCH("its selector is longer or nested deeper than is read here");

        private final String words;

        PoolRule(String words) {
            this.words = words;
        }
    }

    /// Addresses were taken from a block.
    record TookFrom(Prefix block, String owner, int count) implements BlockReason {}

    record PassedOver(Prefix block, BlockRule rule) implements BlockReason {}

    /// Many blocks of an owner were passed over.
    ///
    /// @param first the first of them
    record PassedOverFull(int blocks, String owner, List<Prefix> first) implements BlockReason {

        public PassedOverFull {
            first = List.copyOf(first);
        }
    }

    /// Why a block does not serve a request.
    enum BlockRule {
        FULL("it is full"),
        WHOLLY_RESERVED("all of it is reserved"),
        LEASED_TO_ANOTHER("it is leased to another, and the affinity for it is stale"),
        WRONG_LENGTH("it is not a block of its pool, and the affinity for it is stale"),
        OVERLAPPED("another block overlaps it, and the affinity for it is stale"),
        BEYOND_LIMIT("its node wants more blocks than it may have, and the affinity for it is stale"),
        DAMAGED("its document contradicts itself"),
        STILL_COOLING("something in it still cools"),
        CLAIMED_RECENTLY("its owner claimed it less than a minute ago"),
        FOREIGN_OWNER("its affinity names no owner that could give it up"),
        NOT_EMPTY("it is not empty");

        private final String words;

        BlockRule(String words) {
            this.words = words;
        }
    }

    /// An unclaimed block was claimed.
    ///
    /// @param start where the search began
    /// @param skipped how many places lie between
    record Claimed(Prefix block, String pool, Prefix start, BigInteger skipped) implements BlockReason {}

    /// An empty block was taken from its owner.
    record Reclaimed(Prefix block, String owner) implements BlockReason {}

    /// A claim or a release that was half done was finished.
    record Resumed(Prefix block, Affinity.State state) implements BlockReason {}

    /// An affinity was without a block, and the block was created.
    record Recreated(Prefix block) implements BlockReason {}

    /// A block was given up.
    record GaveUp(Prefix block, String owner, GiveUpRule rule) implements BlockReason {}

    /// Why a block was given up.
    enum GiveUpRule {
        ASKED_FOR("that was asked for"),
        POOL_DESELECTS_NODE("its pool does not select the node any more"),
        NO_BLOCK("there is no such block"),
        NO_AFFINITY("its owner keeps no affinity to it"),
        STALE("the block is another's"),
        EMPTY_FOR_LONG("it was empty for long and its owner has others");

        private final String words;

        GiveUpRule(String words) {
            this.words = words;
        }
    }

    /// A block was left to its owner although it was to be given up.
    record Kept(Prefix block, String why) implements BlockReason {}

    /// A pool had nothing left to give.
    record Exhausted(Prefix pool) implements BlockReason {}

    record LimitReached(int owned, int limit) implements BlockReason {}

    /// An address was given by an earlier attempt at this request, whose answer was lost.
    record GivenBefore(AssignedAddress lease) implements BlockReason {}

    /// Something was written only so that an earlier attempt at this request, which was not answered,
    /// cannot be applied any more.
    record AttemptBarred(String document) implements BlockReason {}

    /// An address was taken back by an earlier attempt at this request, whose answer was lost.
    record TakenBefore(Address address) implements BlockReason {}

    /// The handle may not have more and keeps what it has.
    record HandleHasEnough(String handle, int max) implements BlockReason {}

    /// A handle counted addresses that it does not hold.
    record HandleMended(String handle, Prefix block, int counted, int held) implements BlockReason {}

    /// A handle could not be updated after a release, in Calico's words. The release counts all the
    /// same.
    record HandleOff(String message) implements BlockReason {}

    record Released(Address address, String handle) implements BlockReason {}

    /// The address was not held.
    record NotHeld(Address address) implements BlockReason {}

    /// Cold addresses of a block are free again.
    record Cold(Prefix block, int count, Duration cooldown) implements BlockReason {}

    /// There are more reasons than are useful to read.
    record AndMore(int count) implements BlockReason {}
}
