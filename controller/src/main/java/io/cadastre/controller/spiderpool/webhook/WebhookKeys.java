package io.cadastre.controller.spiderpool.webhook;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.wire.kubernetes.CoreKeys;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The keys that this process serves with, from the Secret that all processes share. Any process creates it or renews
/// what is due, by compare-and-set: of several, one is first and the others take what it wrote.
///
/// Safe for use by any number of threads.
final class WebhookKeys {

    static final String SECRET = "cadastre-spiderpool-webhook";

    private static final int ATTEMPTS_MAX = 5;

    private final Datastore store;
    private final WebhookSettings settings;
    private final InstantSource clock;
    private final String key;
    private volatile @Nullable WebhookSecret current;

    WebhookKeys(Datastore store, WebhookSettings settings, InstantSource clock) {
        this.store = store;
        this.settings = settings;
        this.clock = clock;
        this.key = CoreKeys.SECRETS + settings.namespace() + "/" + SECRET;
    }

    /// The last that were read; empty if none were.
    Optional<WebhookSecret> current() {
        return Optional.ofNullable(current);
    }

    /// Takes what the Secret has, after creating or renewing it if that is due.
    ///
    /// @throws io.cadastre.datastore.DatastoreException if the store does not answer or a right is missing
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if the Secret has something else
    void refresh() {
        for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
            var stored = store.get(key);
            var read = stored.map(document -> WebhookSecret.read(key, document.value()));
            // What is stored serves, also where it cannot be renewed.
            read.ifPresent(secret -> current = secret);
            var wanted = wanted(read);
            if (wanted.isEmpty()) {
                return;
            }
            if (store.commit(List.of(write(stored, wanted.get()))) instanceof Commit.Done) {
                current = wanted.get();
                return;
            }
            // Another process was first, or the answer was lost: what is stored counts.
        }
    }

    private Optional<WebhookSecret> wanted(Optional<WebhookSecret> read) {
        var now = clock.instant();
        return read.isPresent()
                ? read.get().renewed(settings.serverName(), settings.serverNames(), now)
                : Optional.of(WebhookSecret.create(settings.serverName(), settings.serverNames(), now));
    }

    private Write write(Optional<Document> stored, WebhookSecret secret) {
        return stored.<Write>map(
                        document -> new Write.Update(key, secret.document(key, document.value()), document.revision()))
                .orElseGet(() -> new Write.Create(key, secret.document(settings.namespace(), SECRET)));
    }
}
