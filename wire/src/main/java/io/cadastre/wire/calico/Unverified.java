package io.cadastre.wire.calico;

import io.cadastre.engine.Lack;

/// That an answer rests on what was read for somebody before.
///
/// A decision that writes something is put to the test by its writes. One that writes nothing, such as
/// a refusal, is not; so it must rest on what was read for it.
record Unverified() implements Lack {

    @Override
    public String sentence() {
        return "what was read before has not been read again";
    }
}
