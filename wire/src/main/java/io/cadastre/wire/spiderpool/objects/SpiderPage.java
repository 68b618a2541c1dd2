package io.cadastre.wire.spiderpool.objects;

import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Missing;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.MissingPoolItem;
import io.cadastre.engine.pool.PodEndpoint;
import io.cadastre.engine.pool.PodEndpoint.Ownership;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolHoldings;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.registry.Commits;
import io.cadastre.registry.Page;
import io.cadastre.registry.PageFullException;
import io.cadastre.registry.PartialCommit;
import io.cadastre.registry.Recording;
import io.cadastre.wire.book.WriteSet;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// One reading of the book of pools, which reads on as it is asked.
///
/// Where a store applies writes one by one, there are four stages: endpoints that are emptied, then pools, then
/// endpoints that record something, and last those that are deleted. So no endpoint records an address that
/// its pool does not, and a pod whose record is left can ask again or give back. An address lies in one
/// pool, and an endpoint belongs to one pod, so the writes of a stage are under way at once.
///
/// @param now the creation time of whatever it creates
/// @param read the documents that the view shows, by their keys; of others nothing was found
/// @param readPools those of them that are pools, by their names
/// @param pools the pools that are to be written, in the order in which they were noted
/// @param endpoints the endpoints that are to be written, likewise
/// @param assumed the pods that were assumed to have no endpoint
record SpiderPage(
        SpiderBook book,
        Instant now,
        SortedMap<String, Document> read,
        SortedMap<String, SpiderPoolDocument> readPools,
        PoolView view,
        SequencedSet<String> pools,
        SequencedSet<PodKey> endpoints,
        SequencedSet<PodKey> assumed)
        implements Page<PoolView, PoolChange> {

    static SpiderPage of(SpiderBook book) {
        return new SpiderPage(
                book,
                book.clock().instant(),
                Collections.emptySortedMap(),
                Collections.emptySortedMap(),
                PoolView.UNREAD,
                new LinkedHashSet<>(),
                new LinkedHashSet<>(),
                new LinkedHashSet<>());
    }

    // ---- reading ----

    /// A pod that is assumed to have no endpoint gets one by a write that fails if it has.
    @Override
    public Optional<Page<PoolView, PoolChange>> assuming(List<Missing> allMissing) {
        var more = new LinkedHashSet<>(assumed);
        var further = view;
        for (var missing : allMissing) {
            if (missing instanceof MissingPoolItem.OfUnexpectedEndpoint(var key) && !book.doubts(key)) {
                more.add(key);
                further = further.withEndpoint(key, Optional.empty());
            }
        }
        return more.size() == assumed.size()
                ? Optional.empty()
                : Optional.of(new SpiderPage(book, now, read, readPools, further, pools, endpoints, more));
    }

    /// A pod that is refused something may have an endpoint all the same, and be served by it.
    @Override
    public void checkRefusal() {
        var unguarded = assumed.stream()
                .filter(key -> !endpoints.contains(key))
                .map(MissingPoolItem.OfEndpoint::new)
                .toList();
        if (!unguarded.isEmpty()) {
            throw new NotReadException(unguarded);
        }
    }

    @Override
    public SpiderPage reading(Missing missing) {
        return switch (missing) {
            case MissingPoolItem.OfPool _, MissingPoolItem.OfEndpoint _, MissingPoolItem.OfUnexpectedEndpoint _ ->
                reading(List.of(missing), List.of());
            case MissingPoolItem.OfAllPools _ -> readingAllPools();
            case MissingPoolItem.OfRivals(var name) ->
                knowing(
                        List.of(),
                        Collections.emptySortedMap(),
                        view.withRivals(name, book.fetchRivals(name, readPool(name))));
            case MissingPoolItem.OfReservations _ ->
                knowing(List.of(), Collections.emptySortedMap(), view.withReserved(book.fetchReserved()));
            default -> throw new IllegalStateException("the book of pools cannot read: " + missing.sentence());
        };
    }

    /// Single pools and endpoints are read together.
    @Override
    public SpiderPage reading(List<Missing> allMissing, List<Missing> soon) {
        var page = this;
        var keys = new LinkedHashMap<Missing, String>();
        for (var missing : allMissing) {
            var key = key(missing);
            if (key.isPresent()) {
                keys.put(missing, key.get());
            } else {
                page = page.reading(missing);
            }
        }
        if (keys.isEmpty()) {
            return page;
        }
        for (var missing : soon) {
            key(missing).ifPresent(key -> keys.put(missing, key));
        }
        var found = book.store().getAll(List.copyOf(keys.values()));
        for (var each : keys.entrySet()) {
            try {
                page = page.knowing(each.getKey(), Optional.ofNullable(found.get(each.getValue())));
            } catch (UnreadableDocumentException unreadable) {
                if (allMissing.contains(each.getKey())) {
                    throw unreadable;
                }
            }
        }
        return page;
    }

    private static Optional<String> key(Missing missing) {
        return switch (missing) {
            case MissingPoolItem.OfPool(var name) -> Optional.of(SpiderKeys.pool(name));
            case MissingPoolItem.OfEndpoint(var key) -> Optional.of(SpiderKeys.endpoint(key));
            case MissingPoolItem.OfUnexpectedEndpoint(var key) -> Optional.of(SpiderKeys.endpoint(key));
            default -> Optional.empty();
        };
    }

    private SpiderPage knowing(Missing missing, Optional<Document> found) {
        var documents = found.stream().toList();
        return switch (missing) {
            case MissingPoolItem.OfPool(var name) -> {
                var decoded = new TreeMap<String, SpiderPoolDocument>();
                found.ifPresent(document -> decoded.put(name, decode(document)));
                yield knowing(
                        documents,
                        decoded,
                        view.withPool(
                                name,
                                decoded.values().stream()
                                        .map(SpiderPoolDocument::pool)
                                        .findFirst()));
            }
            case MissingPoolItem.OfEndpoint(var key) -> knowingEndpoint(key, found);
            case MissingPoolItem.OfUnexpectedEndpoint(var key) -> knowingEndpoint(key, found);
            default -> throw new IllegalStateException("no single document: " + missing.sentence());
        };
    }

    private SpiderPage knowingEndpoint(PodKey key, Optional<Document> found) {
        var page = knowing(
                found.stream().toList(),
                Collections.emptySortedMap(),
                view.withEndpoint(
                        key,
                        found.map(document -> SpiderEndpointDocument.decode(key, document.value())
                                .endpoint())));
        var fewer = new LinkedHashSet<>(assumed);
        fewer.remove(key);
        return new SpiderPage(
                book, now, page.read(), page.readPools(), page.view(), page.pools(), page.endpoints(), fewer);
    }

    /// What was read of single pools stays as it was read: something may be noted over it.
    private SpiderPage readingAllPools() {
        var further = new ArrayList<Document>();
        var decoded = new TreeMap<String, SpiderPoolDocument>();
        for (var document : book.fetchPools()) {
            if (!view.knowsPool(name(document))) {
                try {
                    decoded.put(name(document), decode(document));
                    further.add(document);
                } catch (UnreadableDocumentException _) {
                    // The pool gives nothing; a request that names it reports why.
                }
            }
        }
        var known = new TreeMap<String, AddressPool>();
        decoded.forEach((name, document) -> known.put(name, document.pool()));
        view.knownPools().forEach(found -> known.put(found.name(), found));
        return knowing(further, decoded, view.withAllPools(known.values()));
    }

    private static String name(Document pool) {
        return pool.key().substring(SpiderKeys.POOLS.length());
    }

    private static SpiderPoolDocument decode(Document pool) {
        return SpiderPoolDocument.decode(name(pool), pool.value());
    }

    private SpiderPage knowing(
            List<Document> documents, SortedMap<String, SpiderPoolDocument> decoded, PoolView further) {
        var more = new TreeMap<>(read);
        documents.forEach(document -> more.put(document.key(), document));
        var morePools = new TreeMap<>(readPools);
        morePools.putAll(decoded);
        return new SpiderPage(book, now, more, morePools, further, pools, endpoints, assumed);
    }

    // ---- noting ----

    @Override
    public SpiderPage with(List<PoolChange> changes) {
        var after = view;
        var notedPools = new LinkedHashSet<>(pools);
        var notedEndpoints = new LinkedHashSet<>(endpoints);
        for (var change : changes) {
            after = after.with(change);
            switch (change) {
                case PoolChange.Take take -> notedPools.add(take.pool());
                case PoolChange.Confirm confirm -> {
                    // What this process recorded itself, an attempt ago, need not be put to the test.
                    if (!book.recorded(confirm)) {
                        notedPools.add(confirm.pool());
                    }
                }
                case PoolChange.Bar bar -> notedPools.add(bar.pool());
                case PoolChange.Free free -> notedPools.add(free.pool());
                case PoolChange.DropPool drop -> notedPools.add(drop.pool());
                case PoolChange.PutEndpoint put -> {
                    checkNotEmptied(put.endpoint());
                    notedEndpoints.add(put.endpoint().key());
                }
                case PoolChange.DropEndpoint drop -> notedEndpoints.add(drop.key());
            }
        }
        var noted = new SpiderPage(book, now, read, readPools, after, notedPools, notedEndpoints, assumed);
        noted.checkGuarded();
        noted.checkSizes(changes);
        return noted;
    }

    /// An endpoint that an earlier decision of this page empties is written before the pool that takes its
    /// addresses back. One that is filled again would be written after it: if the save stops in between, the
    /// endpoint has what the pool gives to others.
    private void checkNotEmptied(PodEndpoint after) {
        var key = after.key();
        if (!after.nics().isEmpty()
                && endpoints.contains(key)
                && read.containsKey(SpiderKeys.endpoint(key))
                && view.findEndpoint(key).stream()
                        .allMatch(emptied -> emptied.nics().isEmpty())) {
            throw new PageFullException(
                    "the endpoint of pod %s would be emptied and filled by one commit".formatted(key));
        }
    }

    /// An endpoint that was not there and will not be there is not written, so the page would not notice if
    /// another process has created it; and what was decided in between depends on its records.
    private void checkGuarded() {
        for (var key : endpoints) {
            if (!read.containsKey(SpiderKeys.endpoint(key))
                    && view.findEndpoint(key).isEmpty()) {
                throw new PageFullException(
                        "the endpoint of pod %s would come and go without a look at it".formatted(key));
            }
        }
    }

    private void checkSizes(List<PoolChange> changes) {
        int writes = pools.size() + endpoints.size();
        if (writes > Datastore.WRITES_MAX) {
            throw new PageFullException(writes, Datastore.WRITES_MAX);
        }
        for (var change : changes) {
            if (change instanceof PoolChange.Take(var name, var _, var _, var _)) {
                var records = view.findPool(name).orElseThrow().held();
                long bytes = readPool(name).bytesMax(records);
                if (bytes > Datastore.VALUE_BYTES_MAX) {
                    throw new PageFullException("IPPool %s would take %d bytes with %d records, more than %d"
                            .formatted(name, bytes, records.size(), Datastore.VALUE_BYTES_MAX));
                }
            }
        }
    }

    private SpiderPoolDocument readPool(String name) {
        return Optional.ofNullable(readPools.get(name))
                .orElseThrow(() -> new IllegalStateException("pool %s was not read".formatted(name)));
    }

    // ---- writing ----

    /// An endpoint of an earlier pod whose deletion has begun would go with whatever is written into it. It is
    /// removed first, and the decision made anew.
    @Override
    public Commit save(Consumer<PartialCommit> stopped, Recording recording) {
        var leaving =
                endpoints.stream().flatMap(key -> findLeaving(key).stream()).toList();
        if (!leaving.isEmpty() && !book.store().atomic()) {
            var commit = book.store().commit(leaving);
            return commit instanceof Commit.Done ? new Commit.Conflict(0, Commit.Kind.STALE) : commit;
        }
        var stages = stages();
        var writes = stages.stream().flatMap(List::stream).toList();
        var halves = new ArrayList<Commits.Written>();
        var commit = Commits.saveInStages(
                book.store(),
                stages,
                done -> {
                    halves.add(done);
                    stopped.accept(partial(done));
                },
                recording);
        switch (commit) {
            case Commit.Done _ -> book.saved();
            case Commit.Conflict(var index, var _) -> failed(isOfEndpoint(writes.get(index)));
            case Commit.Unknown _ -> failed(!stoppedAtPools(writes, halves));
        }
        return commit;
    }

    /// Keeps what the next attempt need not read again.
    ///
    /// @param contradicted whether an assumption may have been wrong: an endpoint was there, or that is not known
    private void failed(boolean contradicted) {
        if (contradicted) {
            assumed.forEach(book::doubt);
        }
        if (view.readReserved()) {
            book.keepReserved(view.reservedAddresses(), now);
        }
    }

    private static boolean isOfEndpoint(Write write) {
        return write.key().startsWith(SpiderKeys.ENDPOINTS);
    }

    /// Whether the save ended, with all answers, before anything was written for an endpoint.
    private static boolean stoppedAtPools(List<Write> writes, List<Commits.Written> halves) {
        return !halves.isEmpty()
                && halves.stream()
                        .allMatch(half -> half.rest() == PartialCommit.Rest.NOT_WRITTEN
                                && half.writes().stream().noneMatch(SpiderPage::isOfEndpoint)
                                && !half.writes()
                                        .containsAll(writes.stream()
                                                .filter(write -> !isOfEndpoint(write))
                                                .toList()));
    }

    private Optional<Write> findLeaving(PodKey key) {
        return Optional.ofNullable(read.get(SpiderKeys.endpoint(key)))
                .filter(document -> {
                    var before = SpiderEndpointDocument.decode(key, document.value());
                    return before.terminating()
                            && view.findEndpoint(key)
                                    .filter(after -> !after.uid()
                                            .equals(before.endpoint().uid()))
                                    .isPresent();
                })
                .map(document -> new Write.Delete(document.key(), document.revision()));
    }

    /// The documents are encoded here, once for all changes of the page.
    private List<List<Write>> stages() {
        var nothing = WriteSet.over(read.values(), WriteSet.Order.AS_NOTED);
        var emptied = nothing;
        var written = nothing;
        var recording = nothing;
        var deleted = nothing;
        for (var name : pools) {
            var key = SpiderKeys.pool(name);
            var after = view.findPool(name);
            written = after.isPresent() ? written.put(key, content(after.get())) : written.delete(key);
        }
        for (var key : endpoints) {
            var after = view.findEndpoint(key);
            if (after.isEmpty()) {
                deleted = deleted.delete(SpiderKeys.endpoint(key));
            } else if (after.get().nics().isEmpty()) {
                emptied = put(emptied, after.get());
            } else {
                recording = put(recording, after.get());
            }
        }
        return Stream.of(emptied, written, recording, deleted)
                .map(WriteSet::writes)
                .filter(stage -> !stage.isEmpty())
                .toList();
    }

    /// A pool that is confirmed or barred gets another revision, also where a store has none for what stays as it is.
    private Bytes content(AddressPool pool) {
        var document = readPool(pool.name());
        return book.store().atomic() ? document.encodeWith(pool.held()) : document.encodeChangedWith(pool.held());
    }

    private WriteSet put(WriteSet writes, PodEndpoint endpoint) {
        return writes.put(SpiderKeys.endpoint(endpoint.key()), content(endpoint));
    }

    /// What was read is kept, except for what is written anew, unless it goes with an earlier pod.
    private Bytes content(PodEndpoint endpoint) {
        return Optional.ofNullable(read.get(SpiderKeys.endpoint(endpoint.key())))
                .map(document -> SpiderEndpointDocument.decode(endpoint.key(), document.value()))
                .filter(before ->
                        before.endpoint().uid().equals(endpoint.uid()) || endpoint.ownership() == Ownership.UNOWNED)
                .map(before -> before.with(endpoint))
                .orElseGet(() -> SpiderEndpointDocument.create(endpoint, now))
                .encode();
    }

    @Override
    public boolean shows(Holding holding) {
        return readPools.values().stream()
                .flatMap(document -> document.pool().records().entrySet().stream())
                .anyMatch(record ->
                        PoolHoldings.of(record.getKey(), record.getValue()).equals(holding));
    }

    @Override
    public Optional<Commit.Done> findApplied() {
        return book.store().findApplied(stages().stream().flatMap(List::stream).toList());
    }

    private PartialCommit partial(Commits.Written done) {
        var granted = new ArrayList<Holding>();
        var returned = new ArrayList<Holding>();
        for (var write : done.writes()) {
            if (write.key().startsWith(SpiderKeys.POOLS)) {
                var name = write.key().substring(SpiderKeys.POOLS.length());
                var before = readPool(name).pool().records();
                var after = view.findPool(name).map(AddressPool::records).orElse(Collections.emptySortedMap());
                granted.addAll(onlyIn(after, before));
                noteRecorded(name);
                returned.addAll(onlyIn(before, after));
            }
        }
        return new PartialCommit(done.revision(), granted, returned, done.rest());
    }

    private void noteRecorded(String pool) {
        var before = readPool(pool).pool().held();
        view.findPool(pool)
                .ifPresent(after -> after.held().all().stream()
                        .filter(one -> before.find(one.address())
                                .filter(one.record()::equals)
                                .isEmpty())
                        .forEach(one -> book.note(new PoolChange.Confirm(pool, one.address(), one.record()))));
    }

    private static List<Holding> onlyIn(SortedMap<Address, PoolRecord> here, SortedMap<Address, PoolRecord> there) {
        return here.entrySet().stream()
                .filter(record -> !record.getValue().equals(there.get(record.getKey())))
                .map(record -> PoolHoldings.of(record.getKey(), record.getValue()))
                .toList();
    }
}
