package io.cadastre.datastore.etcd;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.ScratchFolder;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// One member of etcd for all tests of a class. Classes with classes of tests within them would start one
/// for each.
public final class SharedEtcd implements BeforeAllCallback, AfterAllCallback {

    private Optional<ScratchFolder> folder = Optional.empty();
    private Optional<EtcdProcess> member = Optional.empty();

    public EtcdProcess member() {
        return member.orElseThrow();
    }

    /// A store in which there is nothing.
    public Datastore openEmpty() {
        return member().openEmpty();
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        var created = ScratchFolder.create();
        folder = Optional.of(created);
        member = Optional.of(EtcdProcess.start(created.path()));
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        member.ifPresent(EtcdProcess::close);
        if (folder.isPresent()) {
            folder.get().close();
        }
    }
}
