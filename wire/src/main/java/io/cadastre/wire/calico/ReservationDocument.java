package io.cadastre.wire.calico;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.SloppyText;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/// An `IPReservation` as JSON.
public final class ReservationDocument implements CalicoDocument {

    private static final String KIND = "IPReservation";
    private static final String RESERVED = "reservedCIDRs";

    private final String name;
    private final ObjectNode json;
    private final List<Prefix> reserved;

    private ReservationDocument(String name, ObjectNode json, List<Prefix> reserved) {
        this.name = name;
        this.json = json;
        this.reserved = List.copyOf(reserved);
    }

    /// A reservation as the caller gave it, to be stored for the first time.
    ///
    /// @throws UnparsableEntryException if it is not one
    public static ReservationDocument create(String name, ObjectNode given, UUID uid, Instant now) {
        return of(name, CalicoResource.create(KIND, name, given, uid, now));
    }

    /// A reservation as the caller gave it, to replace this one.
    ///
    /// @throws UnparsableEntryException if it is not one
    public ReservationDocument replacedBy(ObjectNode given) {
        return of(name, CalicoResource.replace(KIND, name, given, json));
    }

    private static ReservationDocument of(String name, ObjectNode json) {
        return (ReservationDocument) CalicoDocument.decode(new CalicoKey.OfReservation(name), Json.write(json));
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

    /// A copy of the document.
    public ObjectNode json() {
        return json.deepCopy();
    }

    @Override
    public Bytes encode() {
        return Json.write(json);
    }
}
