package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;

/// Why a request was not served, or not wholly, in Calico's words.
public sealed interface BlockRefusal {

    default String sentence() {
        return switch (this) {
            case NotThere(var id, var cause) -> "resource does not exist: %s with error: %s".formatted(id, cause);
            case AlreadyAssigned(var address) ->
                "resource already exists: %s with error: Address already assigned in block".formatted(address);
            case Conflict(var id, var _) -> "update conflict: %s".formatted(id);
            case NoQualifiedPool(var detail) -> "cannot find a qualified ippool" + detail;
            case BlockLimit _ -> "cannot allocate new block due to per host block limit";
            case BlockNotEmpty(var block) -> "block '%s' is not empty".formatted(block);
            case ClaimConflict(var block, var owner) ->
                owner.isEmpty()
                        ? "%s already claimed".formatted(block)
                        : "%s already claimed by %s".formatted(block, owner);
            case TooSmall(var cidr) -> "The requested CIDR (%s) is smaller than the minimum.".formatted(cidr);
            case InCooldown(var address) -> "address %s is in cooldown".formatted(address);
            case Damaged(var block, var fault) -> "block %s is damaged and is not changed: %s".formatted(block, fault);
            case Because(var sentence) -> sentence;
        };
    }

    /// Something is not there.
    ///
    /// @param id for example `Node(node-a)`
    record NotThere(String id, String cause) implements BlockRefusal {

        static NotThere of(String id) {
            return new NotThere(id, "<nil>");
        }

        public static NotThere node(String name) {
            return of("Node(%s)".formatted(name));
        }

        public static NotThere handle(String id) {
            return of("IPAMHandleKey(id=%s)".formatted(id));
        }

        static NotThere block(Prefix cidr) {
            return of("BlockKey(cidr=%s)".formatted(cidr));
        }

        public static NotThere affinity(Owner owner, Prefix cidr) {
            return of("BlockAffinityKey(cidr=%s, host=%s)".formatted(cidr, owner.name()));
        }
    }

    /// The address is held, or it cools.
    record AlreadyAssigned(Address address) implements BlockRefusal {}

    /// Something is not as the request says.
    ///
    /// @param id what
    /// @param cause how, which Calico does not print
    record Conflict(String id, String cause) implements BlockRefusal {}

    /// No pool will do.
    record NoQualifiedPool(String detail) implements BlockRefusal {

        public static NoQualifiedPool none() {
            return new NoQualifiedPool("");
        }

        public static NoQualifiedPool forUse(AddressUse use) {
            return new NoQualifiedPool(", no pools match the required use (%s)".formatted(use));
        }
    }

    /// The host may not claim another block.
    record BlockLimit() implements BlockRefusal {}

    record BlockNotEmpty(Prefix block) implements BlockRefusal {}

    /// The block is another's.
    ///
    /// @param owner empty if the block has none
    record ClaimConflict(Prefix block, String owner) implements BlockRefusal {}

    /// What was asked for is smaller than a block.
    record TooSmall(Prefix cidr) implements BlockRefusal {}

    record InCooldown(Address address) implements BlockRefusal {}

    /// The block's document contradicts itself, so that it must not be changed.
    record Damaged(Prefix block, String fault) implements BlockRefusal {}

    /// Anything else; callers need not distinguish these.
    record Because(String sentence) implements BlockRefusal {}
}
