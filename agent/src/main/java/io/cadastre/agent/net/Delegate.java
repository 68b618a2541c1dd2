package io.cadastre.agent.net;

import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniResult;
import java.util.Optional;

/// Another plugin that is called on behalf of the one that was called: a plugin of this process, or a program. A call
/// says by its verb, its environment and its configuration what the other is to see.
@FunctionalInterface
interface Delegate {

    /// The result of an ADD in the newest version; empty for other verbs.
    ///
    /// @throws io.cadastre.wire.cni.CniException as the other failed, or because it could not be called
    Optional<CniResult> perform(CniCall call);
}
