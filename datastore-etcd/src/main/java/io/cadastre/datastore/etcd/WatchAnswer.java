package io.cadastre.datastore.etcd;

import java.util.ArrayList;
import java.util.List;

/// One message of a watch stream.
///
/// @param compactRevision the oldest revision etcd still knows, if that is why it cancelled; else 0
/// @param fragment whether the last reported revision goes on in the next message
record WatchAnswer(
        long revision,
        boolean created,
        boolean cancelled,
        long compactRevision,
        String cancelReason,
        boolean fragment,
        List<Event> events) {

    WatchAnswer {
        events = List.copyOf(events);
    }

    static WatchAnswer read(ProtoReader reader) {
        long revision = 0;
        boolean created = false;
        boolean cancelled = false;
        long compactRevision = 0;
        String cancelReason = "";
        boolean fragment = false;
        var events = new ArrayList<Event>();
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> revision = Header.read(reader.message()).revision();
                case 3 -> created = reader.flag();
                case 4 -> cancelled = reader.flag();
                case 5 -> compactRevision = reader.number();
                case 6 -> cancelReason = reader.text();
                case 7 -> fragment = reader.flag();
                case 11 -> events.add(Event.read(reader.message()));
                default -> {}
            }
        }
        return new WatchAnswer(revision, created, cancelled, compactRevision, cancelReason, fragment, events);
    }

    /// One key, put or deleted.
    record Event(boolean deleted, KeyValue keyValue) {

        static Event read(ProtoReader reader) {
            boolean deleted = false;
            var keyValue = KeyValue.NOTHING;
            while (reader.next()) {
                switch (reader.field()) {
                    case 1 -> deleted = reader.number() == 1;
                    case 2 -> keyValue = KeyValue.read(reader.message());
                    default -> {}
                }
            }
            return new Event(deleted, keyValue);
        }
    }
}
