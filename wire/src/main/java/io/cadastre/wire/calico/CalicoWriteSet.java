package io.cadastre.wire.calico;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.registry.PageFullException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What is to be written: several changes of one document become one write, on condition that the
/// document is as it was when the first of them was noted.
///
/// The writes come in the order in which their documents were last noted; a store that applies them one by
/// one is given [OrderedWrites] instead. A block that is deleted and created again becomes one update, so
/// that no other process can come in between.
///
/// A value: noting returns another.
record CalicoWriteSet(Map<CalicoKey, Note> notes) {

    static final CalicoWriteSet NONE = new CalicoWriteSet(Collections.emptyMap());

    /// What becomes of one document.
    ///
    /// @param before what was read when it was first noted; empty if nothing was there
    /// @param first what it was to be when it was first noted
    /// @param after what it is to be; empty if it is to be deleted
    record Note(Optional<StoredDocument> before, Optional<CalicoDocument> first, Optional<CalicoDocument> after) {

        boolean isWrite() {
            return before.isPresent() || after.isPresent();
        }
    }

    /// One write and the document it is about.
    record KeyedWrite(CalicoKey key, Note note, Write write) {}

    /// Whether the document is going to be written or deleted.
    boolean writes(CalicoKey key) {
        var note = notes.get(key);
        return note != null && note.isWrite();
    }

    /// Whether the document is going to be created.
    boolean creates(CalicoKey key) {
        var note = notes.get(key);
        return note != null && note.before().isEmpty() && note.after().isPresent();
    }

    /// What was read of a document that is noted.
    Optional<StoredDocument> before(CalicoKey key) {
        return Optional.ofNullable(notes.get(key)).flatMap(Note::before);
    }

    /// The blocks that come and go, so that nothing is written.
    List<Prefix> passingBlocks() {
        var passing = new ArrayList<Prefix>();
        notes.forEach((key, note) -> {
            if (key instanceof CalicoKey.OfBlock(var cidr) && !note.isWrite()) {
                passing.add(cidr);
            }
        });
        return passing;
    }

    /// This with further changes, which were decided on what is noted here over what is known there.
    ///
    /// @throws PageFullException if there are too many for one commit
    CalicoWriteSet with(List<BlockChange> changes, CalicoSnapshot snapshot) {
        var noted = new LinkedHashMap<>(notes);
        int writes = (int) notes.values().stream().filter(Note::isWrite).count();
        int fitting = 0;
        for (int index = 0; index < changes.size(); index++) {
            var change = changes.get(index);
            var key = key(change);
            var former = Optional.ofNullable(noted.remove(key));
            var note = former.orElseGet(() -> untouched(key, snapshot));
            var after = after(change, note.after());
            var next = new Note(note.before(), former.isEmpty() ? after : note.first(), after);
            noted.put(key, next);
            writes -= former.filter(Note::isWrite).isPresent() ? 1 : 0;
            writes += next.isWrite() ? 1 : 0;
            if (writes <= Datastore.WRITES_MAX) {
                fitting = index + 1;
            }
        }
        if (writes > Datastore.WRITES_MAX) {
            throw new PageFullException(writes, Datastore.WRITES_MAX, fitting);
        }
        return new CalicoWriteSet(noted);
    }

    private static Note untouched(CalicoKey key, CalicoSnapshot snapshot) {
        var entry = snapshot.find(key);
        var content = entry.map(StoredDocument::content);
        return new Note(entry, content, content);
    }

    static CalicoKey key(BlockChange change) {
        return CalicoItems.key(change.item());
    }

    private static Optional<CalicoDocument> after(BlockChange change, Optional<CalicoDocument> before) {
        return switch (change) {
            case BlockChange.PutAffinity(var affinity) ->
                Optional.of(
                        before.orElse(null) instanceof AffinityDocument document
                                ? document.with(affinity)
                                : AffinityDocument.create(affinity));
            case BlockChange.CreateBlock(var created) -> {
                if (before.isPresent()) {
                    throw new IllegalStateException("block %s is there already".formatted(created.cidr()));
                }
                yield Optional.of(BlockDocument.create(created));
            }
            case BlockChange.UpdateBlock update ->
                Optional.of(seen(before, update.seen()).with(update.after()));
            case BlockChange.DropBlock(var block) -> {
                seen(before, block);
                yield Optional.empty();
            }
            case BlockChange.PutHandle(var handle) ->
                Optional.of(
                        before.orElse(null) instanceof HandleDocument document
                                ? document.with(handle)
                                : HandleDocument.create(handle));
            case BlockChange.PutConfig(var config) ->
                Optional.of(
                        before.orElse(null) instanceof ConfigDocument document
                                ? document.with(config)
                                : ConfigDocument.create(config));
            case BlockChange.DropAffinity _, BlockChange.DropHandle _, BlockChange.DropHostRecord _ -> Optional.empty();
        };
    }

    private static BlockDocument seen(Optional<CalicoDocument> before, Block block) {
        if (before.orElse(null) instanceof BlockDocument document
                && document.block().equals(block)) {
            return document;
        }
        throw new IllegalStateException("a change was decided on %s, which is not what was read".formatted(block));
    }

    /// The writes, each document once.
    List<KeyedWrite> writes() {
        var writes = new ArrayList<KeyedWrite>();
        notes.forEach((key, note) -> {
            if (note.isWrite()) {
                writes.add(new KeyedWrite(key, note, write(key.text(), note)));
            }
        });
        return writes;
    }

    /// The keys of [#writes()], in their order.
    List<CalicoKey> written() {
        return notes.entrySet().stream()
                .filter(noted -> noted.getValue().isWrite())
                .map(Map.Entry::getKey)
                .toList();
    }

    private static Write write(String key, Note note) {
        return write(key, note.before(), note.after());
    }

    /// The write that makes one of the other.
    static Write write(String key, Optional<StoredDocument> before, Optional<CalicoDocument> after) {
        if (after.isEmpty()) {
            return new Write.Delete(key, before.orElseThrow().revision());
        }
        var value = after.get().encode();
        return before.isPresent()
                ? new Write.Update(key, value, before.get().revision())
                : new Write.Create(key, value);
    }
}
