package io.cadastre.engine.pool.select;

import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.engine.pool.select.PoolRival.Precedence;
import java.util.ArrayList;
import java.util.List;

/// The addresses that a pool does not give because of the pools that have them too: of the older pool all that it may
/// give, and of any pool what a pod has.
///
/// @param addresses of the pool
/// @param rivals the names of the pools that they are left to
public record RivalAddresses(RangeSet addresses, List<String> rivals) {

    public RivalAddresses {
        rivals = List.copyOf(rivals);
    }

    /// As the rivals are now.
    ///
    /// @throws NotReadException if one of them was not read
    public static RivalAddresses of(PoolView view, AddressPool pool) {
        var rivals = view.findRivals(pool.name());
        NotReadException.lookAtAll(rivals.stream().map(PoolRival::name).toList(), view::findPool);
        var addresses = RangeSet.EMPTY;
        var names = new ArrayList<String>();
        for (var rival : rivals) {
            var left = view.findPool(rival.name())
                    .map(found -> left(pool, found, rival.precedence()))
                    .orElse(RangeSet.EMPTY);
            if (!left.empty()) {
                addresses = addresses.union(left);
                names.add(rival.name());
            }
        }
        return new RivalAddresses(addresses, names);
    }

    private static RangeSet left(AddressPool pool, AddressPool rival, Precedence precedence) {
        var own = pool.spec().effective();
        var shared = own.intersect(rival.spec().effective());
        if (rival.damaged()) {
            // What its pods have is not known.
            return shared;
        }
        var held = own.intersect(
                new RangeSet(rival.records().keySet().stream().map(Range::of).toList()));
        return switch (precedence) {
            // One that goes gives nothing any more, and keeps what its pods have.
            case RIVAL_FIRST -> rival.terminating() ? held : held.union(shared);
            case RIVAL_LAST -> held;
        };
    }
}
