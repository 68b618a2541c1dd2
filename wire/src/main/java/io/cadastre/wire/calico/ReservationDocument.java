package io.cadastre.wire.calico;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.SloppyText;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import java.util.List;
import java.util.stream.Stream;

/// An `IPReservation` as JSON.
public final class ReservationDocument implements CalicoDocument {

    private static final String RESERVED = "reservedCIDRs";

    private final String name;
    private final ObjectNode json;
    private final List<Prefix> reserved;

    private ReservationDocument(String name, ObjectNode json, List<Prefix> reserved) {
        this.name = name;
        this.json = json;
        this.reserved = List.copyOf(reserved);
    }

    /// A text that is neither a CIDR nor an address reserves nothing, as in Calico.
    static ReservationDocument read(Fields reader, String name, ObjectNode json) {
        var texts = reader.texts(reader.object(json, CalicoResource.SPEC), RESERVED);
        return new ReservationDocument(
                name, json, texts.stream().flatMap(ReservationDocument::prefix).toList());
    }

    private static Stream<Prefix> prefix(String text) {
        var trimmed = text.trim();
        return trimmed.indexOf('/') >= 0 ? SloppyText.parsePrefix(trimmed).stream() : address(trimmed);
    }

    private static Stream<Prefix> address(String text) {
        try {
            var address = Address.parse(text);
            return Stream.of(new Prefix(address, address.family().bits()));
        } catch (IllegalArgumentException _) {
            return Stream.empty();
        }
    }

    public String name() {
        return name;
    }

    public List<Prefix> reserved() {
        return reserved;
    }

    @Override
    public Bytes encode() {
        return Json.write(json);
    }
}
