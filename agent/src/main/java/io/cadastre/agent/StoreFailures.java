package io.cadastre.agent;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.registry.UnrecordedException;
import io.cadastre.registry.UnsettledException;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import java.util.function.Supplier;

/// How a store failure is reported to a runtime: it is to try again.
public final class StoreFailures {

    private StoreFailures() {}

    /// Returns what the work returns. If the store fails, it need not be known whether the work was done:
    /// if it was, the next ADD finds it, and the next DEL takes it back.
    ///
    /// @throws CniException if the store failed
    public static <O> O answered(Supplier<O> work) {
        try {
            return work.get();
        } catch (DatastoreException | UnsettledException | UnrecordedException failed) {
            throw new CniException(
                    CniError.of(CniCode.TRY_AGAIN_LATER, "the store failed", String.valueOf(failed.getMessage())),
                    failed);
        }
    }
}
