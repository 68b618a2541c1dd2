package io.cadastre.agent.net;

import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniResult;

/// Another plugin that is called on behalf of the one that was called. A call says by its verb, its
/// environment and its configuration what the other is to see.
public interface Delegate {

    /// The result in the newest version.
    ///
    /// @throws io.cadastre.wire.cni.CniException as the other failed, or because it could not be called
    CniResult add(CniCall call);

    /// For all verbs that have no result.
    ///
    /// @throws io.cadastre.wire.cni.CniException as the other failed, or because it could not be called
    void perform(CniCall call);
}
