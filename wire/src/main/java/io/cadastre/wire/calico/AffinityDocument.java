package io.cadastre.wire.calico;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Affinity.State;
import io.cadastre.engine.block.Owner;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import java.util.List;

/// An affinity as JSON. Whose it is and for which block is in the key alone.
public final class AffinityDocument implements CalicoDocument {

    private static final String STATE = "state";
    private static final String DELETED = "deleted";

    private final Affinity affinity;
    private final ForeignFields foreign;

    private AffinityDocument(Affinity affinity, ForeignFields foreign) {
        this.affinity = affinity;
        this.foreign = foreign;
    }

    static AffinityDocument create(Affinity affinity) {
        return new AffinityDocument(affinity, ForeignFields.NONE);
    }

    static AffinityDocument read(Fields reader, Owner owner, Prefix cidr, ObjectNode json) {
        var affinity = new Affinity(owner, cidr, state(reader.text(json, STATE)));
        return new AffinityDocument(affinity, ForeignFields.of(json, List.of(STATE, DELETED)));
    }

    /// An unknown word does not mean that the owner has the block.
    private static State state(String word) {
        if (word.isEmpty() || word.equals(State.CONFIRMED.word())) {
            return State.CONFIRMED;
        }
        return word.equals(State.PENDING_DELETION.word()) ? State.PENDING_DELETION : State.PENDING;
    }

    public Affinity affinity() {
        return affinity;
    }

    AffinityDocument with(Affinity changed) {
        return new AffinityDocument(changed, foreign);
    }

    /// The same, to be claimed.
    AffinityDocument pending() {
        return with(new Affinity(affinity.owner(), affinity.cidr(), State.PENDING));
    }

    @Override
    public Bytes encode() {
        var json = Json.emptyObject();
        json.put(STATE, affinity.state().word());
        json.put(DELETED, false);
        foreign.addTo(json);
        return Json.write(json);
    }
}
