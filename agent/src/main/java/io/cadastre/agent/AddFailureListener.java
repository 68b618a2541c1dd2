package io.cadastre.agent;

import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.DoorbellFrame.Call;

/// Is called for every ADD that was refused. The answer does not wait for it.
@FunctionalInterface
public interface AddFailureListener {

    void refused(Call call, CniError error);
}
