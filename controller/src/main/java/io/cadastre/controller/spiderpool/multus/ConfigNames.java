package io.cadastre.controller.spiderpool.multus;

import io.cadastre.controller.watch.KindHandler;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.wire.spiderpool.multus.AttachmentKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Reports which SpiderMultusConfigs are to be looked at: those that changed, and those whose
/// NetworkAttachmentDefinition did.
///
/// A NetworkAttachmentDefinition that is deleted does not say whose it was, so all SpiderMultusConfigs of its namespace
/// are looked at then: there are few.
final class ConfigNames {

    /// The names of the SpiderMultusConfigs that exist, each with its namespace and a slash. Its own lock guards it.
    private final Set<String> names = new HashSet<>();

    private final Consumer<String> changed;

    /// @param changed takes the name of each that is to be looked at, and does not wait
    ConfigNames(Consumer<String> changed) {
        this.changed = changed;
    }

    List<KindHandler> handlers() {
        return List.of(new Configs(), new Networks());
    }

    List<String> all() {
        synchronized (names) {
            return names.stream().sorted().toList();
        }
    }

    private void report(String name) {
        synchronized (names) {
            names.add(name);
        }
        changed.accept(name);
    }

    /// The SpiderMultusConfigs. One that is gone is looked at too, and is known no more then.
    private final class Configs implements KindHandler {

        private final Set<String> listed = new HashSet<>();

        @Override
        public String kind() {
            return "spidermultusconfigs";
        }

        @Override
        public String prefix() {
            return SpiderKeys.MULTUS_CONFIGS;
        }

        private String name(String key) {
            return key.substring(prefix().length());
        }

        @Override
        public void begin() {
            listed.clear();
        }

        @Override
        public void fill(List<Document> documents) {
            documents.forEach(document -> {
                listed.add(name(document.key()));
                report(name(document.key()));
            });
        }

        @Override
        public void complete(long revision) {
            all().stream().filter(name -> !listed.contains(name)).forEach(this::gone);
        }

        private void gone(String name) {
            synchronized (names) {
                names.remove(name);
            }
            changed.accept(name);
        }

        @Override
        public void change(Watch.Notice.Changed notice) {
            for (var change : notice.changes()) {
                switch (change) {
                    case Watch.Change.Put put -> report(name(put.document().key()));
                    case Watch.Change.Deleted deleted -> gone(name(deleted.key()));
                }
            }
        }

        @Override
        public void lost() {}
    }

    /// The NetworkAttachmentDefinitions.
    private final class Networks implements KindHandler {

        @Override
        public String kind() {
            return "network-attachment-definitions";
        }

        @Override
        public String prefix() {
            return AttachmentKeys.ATTACHMENTS;
        }

        @Override
        public void begin() {}

        @Override
        public void fill(List<Document> documents) {}

        @Override
        public void complete(long revision) {}

        @Override
        public void change(Watch.Notice.Changed notice) {
            notice.changes().forEach(change -> reportNamespace(change.key()));
        }

        private void reportNamespace(String key) {
            var rest = key.substring(prefix().length());
            var namespace = rest.substring(0, rest.indexOf('/') + 1);
            all().stream()
                    .filter(name -> !namespace.isEmpty() && name.startsWith(namespace))
                    .forEach(changed);
        }

        @Override
        public void lost() {}
    }
}
