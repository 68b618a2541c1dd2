package io.cadastre.agent;

import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.DoorbellFrame.Call;

/// Hears of every ADD that was refused. The answer does not wait for it.
@FunctionalInterface
public interface Refusals {

    void refused(Call call, CniError error);
}
