package io.cadastre.engine.pool.subnet;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.pool.IpText;
import java.math.BigInteger;

/// Why an application does not get its pool. Nothing was changed.
public sealed interface SubnetRefusal {

    /// A sentence without a full stop, in upstream's words where upstream has any.
    default String sentence() {
        return switch (this) {
            case NoSubnet(var name) ->
                "failed to get SpiderSubnet %s: SpiderSubnet.spiderpool.spidernet.io \"%s\" not found"
                        .formatted(name, name);
            case Terminating(var name) -> "wrong input, SpiderSubnet %s is terminating".formatted(name);
            case Damaged(var what, var damage) -> "%s cannot be used: %s".formatted(what, damage);
            case OtherFamily(var name, var family) ->
                "wrong input, SpiderSubnet %s is not of IPv%d".formatted(name, IpText.version(family));
            case SubnetChanged(var pool, var had, var subnet, var has) ->
                "wrong input, IPPool %s is of %s, and SpiderSubnet %s is %s: the subnet of an application cannot change; delete the pool first"
                        .formatted(pool, had, subnet, has);
            case Insufficient(var required, var left) ->
                "insufficient subnet FreeIPs, required '%d' but only left '%d'".formatted(required, left);
            case CannotShrink(var pool) ->
                "failed to scale down IPPool %s IPs: IPPool available free IPs are not enough".formatted(pool);
            case NameTaken(var pool) ->
                "SpiderIPPool.spiderpool.spidernet.io \"%s\" already exists, and is being deleted or of another SpiderSubnet: the subnet of a live application cannot change"
                        .formatted(pool);
            case NameTooLong(var application, var length) ->
                "wrong input, the name of %s has %d characters: it is the value of a label, which takes 63"
                        .formatted(application, length);
        };
    }

    /// When to try again.
    default Retry retry() {
        return switch (this) {
            case Terminating _, OtherFamily _, SubnetChanged _, NameTooLong _ -> Retry.WITH_OTHER_INPUT;
            case CannotShrink _, NameTaken _ -> Retry.SOON;
            case NoSubnet _, Damaged _, Insufficient _ -> Retry.LATER;
        };
    }

    /// When a claim that was refused may be granted.
    enum Retry {
        /// Only if something else is asked for.
        WITH_OTHER_INPUT,
        /// After a wait that grows.
        SOON,
        /// After a while.
        LATER
    }

    record NoSubnet(String name) implements SubnetRefusal {}

    record Terminating(String name) implements SubnetRefusal {}

    /// A document that cannot be read as far as it must be.
    record Damaged(String what, String damage) implements SubnetRefusal {}

    record OtherFamily(String name, Family asked) implements SubnetRefusal {}

    /// The subnet was created anew with another prefix.
    record SubnetChanged(String pool, Prefix had, String subnet, Prefix has) implements SubnetRefusal {}

    record Insufficient(BigInteger required, BigInteger left) implements SubnetRefusal {}

    /// Pods have too many of the pool's addresses.
    record CannotShrink(String pool) implements SubnetRefusal {}

    record NameTaken(String pool) implements SubnetRefusal {}

    record NameTooLong(OwnerApplication application, int length) implements SubnetRefusal {}
}
