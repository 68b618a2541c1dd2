package io.cadastre.wire.spiderpool.objects;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Keys;
import io.cadastre.engine.Missing;
import io.cadastre.engine.pool.subnet.ApplicationState;
import io.cadastre.engine.pool.subnet.MissingSubnetItem;
import io.cadastre.engine.pool.subnet.OwnerApplication;
import io.cadastre.engine.pool.subnet.SubnetChange;
import io.cadastre.engine.pool.subnet.SubnetPool;
import io.cadastre.engine.pool.subnet.SubnetView;
import io.cadastre.registry.Book;
import io.cadastre.registry.Commits;
import io.cadastre.registry.Page;
import io.cadastre.registry.PageFullException;
import io.cadastre.registry.PartialCommit;
import io.cadastre.registry.Recording;
import io.cadastre.wire.book.WriteSet;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.RandomUid;
import io.cadastre.wire.spiderpool.workload.WorkloadKind;
import io.cadastre.wire.spiderpool.workload.WorkloadKind.Maker;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// Subnets and the pools that are made of them, in any store. All of both are read, since they must not overlap;
/// applications are read one by one.
///
/// Where the store has transactions, a process that writes a pool or a subnet also rewrites the key at which the writes
/// of users meet ([ObjectBook]).
public final class SubnetBook implements Book<SubnetView, SubnetChange> {

    private static final Bytes MET = Bytes.ofUtf8("{}");

    private final Datastore store;
    private final InstantSource clock;
    private final RandomGenerator dice;

    /// A book in this store.
    ///
    /// @param clock gives the time at which a pool is created
    /// @param dice give a new pool its identity, where no API server does
    public SubnetBook(Datastore store, InstantSource clock, RandomGenerator dice) {
        this.store = store;
        this.clock = clock;
        this.dice = dice;
    }

    @Override
    public Page<SubnetView, SubnetChange> open() {
        // The meeting key first: a process that writes a pool after this read makes this page fail.
        var meeting = meets() ? store.get(SpiderKeys.MEETING) : Optional.<Document>empty();
        var documents = new ArrayList<>(SpiderRanges.fetchSubnets(store));
        var subnets =
                documents.stream().flatMap(found -> subnet(found).stream()).toList();
        var pools = new ArrayList<SubnetPool>();
        for (var found : store.listAll(SpiderKeys.POOLS).documents()) {
            documents.add(found);
            pools.add(SubnetPoolDocument.read(
                    SpiderPoolDocument.decode(found.key().substring(SpiderKeys.POOLS.length()), found.value()),
                    subnets));
        }
        var view = SubnetView.of(
                subnets.stream().map(SpiderSubnetDocument::subnet).toList(),
                pools,
                new SpiderBook(store, clock).fetchReserved());
        meeting.ifPresent(documents::add);
        return new SubnetPage(view, WriteSet.over(documents, WriteSet.Order.AS_NOTED), false);
    }

    /// A subnet that cannot be read has no pools made of it. Of a pool that cannot be read it is unknown what it
    /// overlaps.
    private static Optional<SpiderSubnetDocument> subnet(Document found) {
        try {
            return Optional.of(
                    SpiderSubnetDocument.decode(found.key().substring(SpiderKeys.SUBNETS.length()), found.value()));
        } catch (UnreadableDocumentException _) {
            return Optional.empty();
        }
    }

    private boolean meets() {
        return store.atomic() && store.hasPlace(SpiderKeys.MEETING);
    }

    /// Those of a third party are unknown in a store to which they are not written.
    private ApplicationState state(OwnerApplication application) {
        var kind = WorkloadKind.find(application);
        if (kind.isEmpty()) {
            return new ApplicationState.Unknown();
        }
        var key = kind.get().key(application);
        if (!Keys.fits(key) || !store.hasPlace(key)) {
            return new ApplicationState.Unknown();
        }
        try {
            return store.get(key)
                    .<ApplicationState>map(found -> new ApplicationState.Present(Json.readObject(key, found.value())
                            .at("/metadata/uid")
                            .asText()))
                    .orElseGet(() -> store.atomic() && kind.get().maker() == Maker.AGENT
                            ? new ApplicationState.Unknown()
                            : new ApplicationState.Absent());
        } catch (DatastoreException failed) {
            return switch (failed.kind()) {
                case NOT_INSTALLED, DENIED -> new ApplicationState.Unknown();
                case UNREACHABLE, DEADLINE, CLOSED, READ_ONLY, FULL, CORRUPT, FOREIGN, COMPACTED, FAILED ->
                    throw failed;
            };
        } catch (UnreadableDocumentException _) {
            return new ApplicationState.Unknown();
        }
    }

    /// One reading of the book. It takes the changes of one decision.
    private final class SubnetPage implements Page<SubnetView, SubnetChange> {

        private final SubnetView view;
        private final WriteSet noted;
        private final boolean decided;

        SubnetPage(SubnetView view, WriteSet noted, boolean decided) {
            this.view = view;
            this.noted = noted;
            this.decided = decided;
        }

        @Override
        public SubnetView view() {
            return view;
        }

        @Override
        public SubnetPage reading(Missing missing) {
            return switch (missing) {
                case MissingSubnetItem.OfApplication(var application) ->
                    new SubnetPage(view.withApplication(application, state(application)), noted, decided);
                default -> throw new IllegalStateException("the book of subnets cannot read: " + missing.sentence());
            };
        }

        @Override
        public SubnetPage with(List<SubnetChange> changes) {
            if (changes.isEmpty()) {
                return this;
            }
            if (decided) {
                throw new PageFullException("SpiderSubnets and their pools are written one decision at a time");
            }
            var after = noted;
            var seen = view;
            for (var change : changes) {
                after = written(after, change);
                seen = seen.with(change);
            }
            return new SubnetPage(seen, meets() ? after.put(SpiderKeys.MEETING, MET) : after, true);
        }

        private WriteSet written(WriteSet notes, SubnetChange change) {
            return switch (change) {
                case SubnetChange.PreAllocate(var name, var pool, var allocation) -> {
                    var document = subnet(notes, name);
                    var all = new TreeMap<>(document.subnet().preAllocations());
                    all.put(pool, allocation);
                    yield notes.put(
                            SpiderKeys.subnet(name),
                            store.atomic() ? document.encodeWith(all) : document.encodeAnewWith(all));
                }
                case SubnetChange.SetPreAllocations(var name, var all) ->
                    notes.put(SpiderKeys.subnet(name), subnet(notes, name).encodeWith(all));
                case SubnetChange.LabelSubnet(var name) ->
                    notes.put(SpiderKeys.subnet(name), subnet(notes, name).encodeLabelled());
                case SubnetChange.CreatePool create -> {
                    var json = SubnetPoolDocument.create(
                            create, subnet(notes, create.subnet()), RandomUid.by(dice), Trees.time(clock.instant()));
                    yield notes.put(SpiderKeys.pool(create.pool()), encode(SpiderPoolDocument.of(create.pool(), json)));
                }
                case SubnetChange.AdaptPool(var name, var addresses, var purpose, var number) -> {
                    var json = pool(notes, name).json();
                    SubnetPoolDocument.adapt(json, addresses, purpose, number);
                    yield notes.put(SpiderKeys.pool(name), encode(SpiderPoolDocument.of(name, json)));
                }
                case SubnetChange.AdoptPool(var name, var controller, var spec) -> {
                    var json = pool(notes, name).json();
                    SubnetPoolDocument.adopt(json, subnet(notes, controller), spec);
                    yield notes.put(SpiderKeys.pool(name), encode(SpiderPoolDocument.of(name, json)));
                }
                case SubnetChange.DeletePool(var name) -> {
                    var document = pool(notes, name);
                    yield document.pool().records().isEmpty() || !store.atomic()
                            ? notes.delete(SpiderKeys.pool(name))
                            : notes.put(SpiderKeys.pool(name), Trees.ending(document.json(), clock.instant()));
                }
                case SubnetChange.DropSubnet(var name) -> notes.delete(SpiderKeys.subnet(name));
            };
        }

        /// Where no controller counts the addresses of a pool, they are counted here.
        private Bytes encode(SpiderPoolDocument document) {
            return store.atomic() ? document.counted().encode() : document.encode();
        }

        private SpiderSubnetDocument subnet(WriteSet notes, String name) {
            return SpiderSubnetDocument.decode(
                    name, notes.find(SpiderKeys.subnet(name)).orElseThrow());
        }

        private SpiderPoolDocument pool(WriteSet notes, String name) {
            return SpiderPoolDocument.decode(
                    name, notes.find(SpiderKeys.pool(name)).orElseThrow());
        }

        /// The status of a subnet is written before its pool.
        @Override
        public Commit save(Consumer<PartialCommit> stopped, Recording recording) {
            return Commits.save(store, noted.writes(), _ -> {}, recording);
        }

        /// A new pool has an identity of its own, and what else is written is the same from every writer.
        @Override
        public Optional<Commit.Done> findApplied() {
            return store.findApplied(noted.writes());
        }
    }
}
