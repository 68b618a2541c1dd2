package io.cadastre.engine.hostlocal;

import java.util.List;

/// Whether an attachment holds anything.
public sealed interface Presence {

    /// It does.
    ///
    /// @param entries the files that say so
    record Found(List<FolderEntry> entries) implements Presence {
        public Found {
            entries = List.copyOf(entries);
        }
    }

    record Missing(HostLocalAttachment attachment) implements Presence {

        /// A sentence without a full stop.
        public String sentence() {
            return "host-local: Failed to find address added by container " + attachment.containerId();
        }
    }
}
