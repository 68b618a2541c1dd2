package io.cadastre.controller.nodecidr.cloud;

import io.cadastre.engine.nodecidr.cloud.CloudSetup;
import io.cadastre.engine.nodecidr.cloud.SyncBackoff;
import io.cadastre.engine.nodecidr.cloud.SyncView;
import java.util.List;
import java.util.Optional;

/// The settings of an allocator that asks a cloud.
///
/// @param setup what the flags come to
/// @param workersMax how many Nodes are worked on at once
public record CloudIpamSettings(Kind setup, int workersMax) {

    /// Which allocator it is.
    public sealed interface Kind {

        /// The alias ranges are copied.
        record Follow() implements Kind {}

        /// Nodes and alias ranges are brought together.
        record Sync(CloudSetup.Sync setup, SyncBackoff backoff) implements Kind {}
    }

    public CloudIpamSettings {
        if (workersMax < 1) {
            throw new IllegalArgumentException("%d Nodes at once: at least 1".formatted(workersMax));
        }
    }

    /// Why it cannot begin, whatever the Nodes are.
    public Optional<String> fault() {
        return switch (setup) {
            case Kind.Follow _ -> Optional.empty();
            case Kind.Sync(var sync, var _) ->
                switch (SyncView.begin(sync.mode(), sync.config(), List.of())) {
                    case SyncView.Beginning.Ready _ -> Optional.empty();
                    case SyncView.Beginning.Refused refused -> Optional.of(refused.sentence());
                };
        };
    }
}
