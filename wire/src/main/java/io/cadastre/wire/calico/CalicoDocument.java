package io.cadastre.wire.calico;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;

/// What one key of Calico's holds, decoded. Fields that are not understood here are kept.
public sealed interface CalicoDocument
        permits AffinityDocument,
                BlockDocument,
                ClusterInformationDocument,
                ConfigDocument,
                HandleDocument,
                HostRecordDocument,
                CalicoNodeDocument,
                IpPoolDocument,
                ReservationDocument {

    /// The bytes as Calico would write them.
    Bytes encode();

    /// Reads what the key holds.
    ///
    /// @throws UnparsableEntryException if it is not what the key promises
    static CalicoDocument decode(CalicoKey key, Bytes value) {
        var text = key.text();
        if (key instanceof CalicoKey.OfBlock(var cidr)) {
            var plain = PlainBlock.read(cidr, value);
            if (plain.isPresent()) {
                return plain.get();
            }
        }
        try {
            // Old releases wrote affinities without a value.
            var json = value.size() == 0 && key instanceof CalicoKey.OfAffinity
                    ? Json.emptyObject()
                    : CalicoStructs.of(key).read(Json.readObject(text, value));
            var reader = new Fields(text);
            return switch (key) {
                case CalicoKey.OfBlock(var cidr) -> BlockDocument.read(reader, cidr, json);
                case CalicoKey.OfAffinity(var owner, var cidr) -> AffinityDocument.read(reader, owner, cidr, json);
                case CalicoKey.OfHandle(var id) -> HandleDocument.read(reader, id, json);
                case CalicoKey.OfConfig _ -> ConfigDocument.read(reader, json);
                case CalicoKey.OfHostRecord(var host) -> new HostRecordDocument(host, value);
                case CalicoKey.OfPool(var name) -> IpPoolDocument.read(reader, name, json);
                case CalicoKey.OfReservation(var name) -> ReservationDocument.read(reader, name, json);
                case CalicoKey.OfNode(var name) -> CalicoNodeDocument.read(reader, name, json);
                case CalicoKey.OfClusterInformation _ -> ClusterInformationDocument.read(reader, json);
            };
        } catch (UnreadableDocumentException unreadable) {
            throw new UnparsableEntryException(text, value, unreadable.fault(), unreadable);
        } catch (IllegalArgumentException senseless) {
            throw new UnparsableEntryException(text, value, String.valueOf(senseless.getMessage()), senseless);
        }
    }
}
