package io.cadastre.wire.spiderpool.objects;

import io.cadastre.datastore.Datastore;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.subnet.OwnerApplication;
import io.cadastre.engine.pool.subnet.SubnetChange;
import io.cadastre.engine.pool.subnet.SubnetClaim;
import io.cadastre.engine.pool.subnet.SubnetEngine;
import io.cadastre.engine.pool.subnet.SubnetOutcome;
import io.cadastre.engine.pool.subnet.SubnetOutcome.Rest;
import io.cadastre.engine.pool.subnet.SubnetOutcome.Tended;
import io.cadastre.engine.pool.subnet.SubnetView;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.function.Function;

/// Makes pools of subnets and looks after both. What changes nothing is not recorded: most looks find nothing to do.
///
/// @param registrar of a [SubnetBook] in the store
public record SubnetRegistrar(Datastore store, Registrar<SubnetView, SubnetChange> registrar) {

    /// How many decisions one look takes at most; the next look goes on.
    private static final int TURNS_MAX = 100;

    /// Has an application have its pool.
    public SubnetOutcome claim(String words, SubnetClaim claim) {
        return decide(words, view -> SubnetEngine.claim(view, claim));
    }

    /// Brings a subnet up to date with its pools.
    public SubnetOutcome tend(String words, String subnet) {
        var outcome = tendOnce(words, subnet);
        for (int turn = 1; turn < TURNS_MAX && outcome.equals(new Tended(Rest.MORE)); turn++) {
            outcome = tendOnce(words, subnet);
        }
        return outcome;
    }

    private SubnetOutcome tendOnce(String words, String subnet) {
        return decide(words, view -> SubnetEngine.tend(view, subnet));
    }

    /// Brings the subnets of a prefix up to date.
    ///
    /// @param cidr as it is written
    public void tendAllOf(String words, String cidr) {
        for (var document : SpiderRanges.fetchSubnets(store)) {
            try {
                if (Json.readObject(document.key(), document.value())
                        .at("/spec/subnet")
                        .asText()
                        .equals(cidr)) {
                    tend(words, document.key().substring(SpiderKeys.SUBNETS.length()));
                }
            } catch (UnreadableDocumentException _) {
                // No pool is made of it.
            }
        }
    }

    /// Deletes the pools of an application that is gone.
    public SubnetOutcome reclaim(String words, OwnerApplication application, String uid) {
        return decide(words, view -> SubnetEngine.reclaim(view, application, uid));
    }

    /// Deletes a pool that no pod uses and whose application is gone.
    public SubnetOutcome reclaimUnused(String words, String pool) {
        return decide(words, view -> SubnetEngine.reclaimUnused(view, pool));
    }

    private SubnetOutcome decide(String words, Function<SubnetView, Decision<SubnetChange, SubnetOutcome>> law) {
        var request = new Request<>(words, law);
        var looked = registrar.explain(request);
        return looked.changes().isEmpty() ? looked.outcome() : registrar.enact(request);
    }
}
