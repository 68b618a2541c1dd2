package io.cadastre.wire.spiderpool.subnet;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.subnet.OwnerApplication;
import io.cadastre.engine.pool.subnet.SubnetChange;
import io.cadastre.engine.pool.subnet.SubnetClaim;
import io.cadastre.engine.pool.subnet.SubnetEngine;
import io.cadastre.engine.pool.subnet.SubnetOutcome;
import io.cadastre.engine.pool.subnet.SubnetOutcome.Rest;
import io.cadastre.engine.pool.subnet.SubnetOutcome.Tended;
import io.cadastre.engine.pool.subnet.SubnetView;
import io.cadastre.registry.Book;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.registry.Request.Law;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderRanges;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Makes pools of subnets and looks after both. What changes nothing is not recorded: most looks find nothing to do.
public final class SubnetRegistrar {

    /// How many times one look goes over a subnet at most; the next look goes on.
    private static final int TURNS_MAX = 100;

    /// What an API server says to a write that one of its webhooks refuses.
    private static final Set<DatastoreException.Kind> REFUSALS =
            Set.of(DatastoreException.Kind.FAILED, DatastoreException.Kind.DENIED);

    private final Datastore store;
    private final Book<SubnetView, SubnetChange> book;
    private final Registrar<SubnetView, SubnetChange> registrar;

    /// What is looked at; null if each request looks for itself.
    private final @Nullable SubnetLook look;

    /// @param book of the subnets in the store
    /// @param registrar of that book
    public SubnetRegistrar(
            Datastore store, Book<SubnetView, SubnetChange> book, Registrar<SubnetView, SubnetChange> registrar) {
        this(store, book, registrar, null);
    }

    private SubnetRegistrar(
            Datastore store,
            Book<SubnetView, SubnetChange> book,
            Registrar<SubnetView, SubnetChange> registrar,
            @Nullable SubnetLook look) {
        this.store = store;
        this.book = book;
        this.registrar = registrar;
        this.look = look;
    }

    /// This for one thread and several requests, which find out by one reading whether there is anything to do. What
    /// changes after that reading needs requests of its own.
    public SubnetRegistrar pass() {
        return new SubnetRegistrar(store, book, registrar, new SubnetLook(book));
    }

    /// What a look at a subnet came to.
    ///
    /// @param refused why the store does not let an object be changed as it should be, by the objects
    public record TendedSubnet(SubnetOutcome outcome, SortedMap<String, String> refused) {
        public TendedSubnet {
            refused = Collections.unmodifiableSortedMap(new TreeMap<>(refused));
        }
    }

    /// Has an application have its pool.
    public SubnetOutcome claim(String words, SubnetClaim claim) {
        return decide(words, (view, earlier) -> SubnetEngine.claim(view, claim, earlier));
    }

    /// Brings a subnet up to date with its pools. One that the store refuses to change holds up no other.
    public TendedSubnet tend(String words, String subnet) {
        var refused = new TreeMap<String, String>();
        var tried = new TreeSet<String>();
        var outcome = tendOnce(words, subnet);
        for (int turn = 1;
                turn < TURNS_MAX && outcome instanceof Tended(var rest, var pools) && isMore(rest, pools, tried);
                turn++) {
            pools.stream()
                    .filter(tried::add)
                    .forEach(pool -> attempt(
                            refused,
                            "pool " + pool,
                            subnet,
                            () -> decide(
                                    "%s: pool %s".formatted(words, pool),
                                    view -> SubnetEngine.tendPool(view, subnet, pool))));
            outcome = tendOnce(words, subnet);
        }
        if (outcome instanceof Tended(var rest, var _) && rest == Rest.LABEL) {
            attempt(refused, "its label", subnet, () -> decide(words, view -> SubnetEngine.label(view, subnet)));
        }
        return new TendedSubnet(outcome, refused);
    }

    private static boolean isMore(Rest rest, List<String> pools, Set<String> tried) {
        return rest == Rest.MORE || !tried.containsAll(pools);
    }

    private SubnetOutcome tendOnce(String words, String subnet) {
        if (look != null) {
            look.refresh();
        }
        return decide(words, view -> SubnetEngine.tend(view, subnet));
    }

    /// Makes one change, or notes why the store does not take it.
    private static void attempt(Map<String, String> refused, String what, String subnet, Runnable change) {
        try {
            change.run();
        } catch (DatastoreException failed) {
            if (!REFUSALS.contains(failed.kind())) {
                throw failed;
            }
            refused.put(
                    what,
                    "SpiderSubnet %s cannot have %s as it should be: %s".formatted(subnet, what, failed.getMessage()));
        }
    }

    /// Brings the subnets of a prefix up to date.
    ///
    /// @param cidr as it is written
    /// @return what a look at each came to, by their names
    public SortedMap<String, TendedSubnet> tendAllOf(String words, String cidr) {
        var tended = new TreeMap<String, TendedSubnet>();
        for (var document : SpiderRanges.fetchSubnets(store)) {
            try {
                if (Json.readObject(document.key(), document.value())
                        .at("/spec/subnet")
                        .asText()
                        .equals(cidr)) {
                    var name = document.key().substring(SpiderKeys.SUBNETS.length());
                    tended.put(name, tend(words, name));
                }
            } catch (UnreadableDocumentException _) {
                // No pool is made of it.
            }
        }
        return tended;
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
        return decide(words, (view, _) -> law.apply(view));
    }

    private SubnetOutcome decide(String words, Law<SubnetView, SubnetChange, SubnetOutcome> law) {
        var request = new Request<>(words, law);
        if (look == null) {
            var looked = registrar.explain(request);
            return looked.changes().isEmpty() ? looked.outcome() : registrar.enact(request);
        }
        var looked = look.decide(view -> law.decide(view, List.of()));
        return looked.changes().isEmpty() ? looked.outcome() : enacted(look, request);
    }

    private SubnetOutcome enacted(SubnetLook outdated, Request<SubnetView, SubnetChange, SubnetOutcome> request) {
        outdated.outdate();
        return registrar.enact(request);
    }
}
