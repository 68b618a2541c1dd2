package io.cadastre.controller.collection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.block.collect.CollectorSettings;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Duration;

/// How long an address may seem unused, and a block be empty, before it is taken back.
public sealed interface LeakGrace {

    /// Where `KubeControllersConfiguration` is.
    String KEY = CalicoKeys.CONTROLLERS + "default";

    /// The operator set it when the process was started.
    record Fixed(Duration duration) implements LeakGrace {}

    /// As `KubeControllersConfiguration` says, or Calico's default if it does not.
    record Configured() implements LeakGrace {}

    /// The grace now.
    ///
    /// @throws UnreadableDocumentException if what is configured is not a duration
    default Duration fetch(Datastore store) {
        return switch (this) {
            case Fixed(var duration) -> duration;
            case Configured _ ->
                store.get(KEY)
                        .map(stored -> read(Json.readObject(KEY, stored.value())))
                        .orElse(CollectorSettings.DEFAULT.leakGrace());
        };
    }

    private static Duration read(ObjectNode json) {
        var reader = new Fields(KEY);
        var controllers = reader.object(reader.object(json, "spec"), "controllers");
        var text = reader.text(reader.object(controllers, "node"), "leakGracePeriod");
        if (text.isEmpty()) {
            return CollectorSettings.DEFAULT.leakGrace();
        }
        return GoDuration.parse(text).orElseThrow(() -> reader.wrong("leakGracePeriod", "a duration"));
    }
}
