package io.cadastre.cli.session;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The common options of commands on Calico's data.
public final class CalicoOptions {

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(
            names = "--allow-version-mismatch",
            description = "Proceed even if the cluster runs a newer Calico than "
                    + CalicoVersion.IMPLEMENTED
                    + ", or a version other than CALICO_VERSION.")
    private boolean mismatchAllowed;

    public StoreOptions store() {
        return store;
    }

    boolean mismatchAllowed() {
        return mismatchAllowed;
    }
}
