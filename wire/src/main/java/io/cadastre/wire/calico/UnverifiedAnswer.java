package io.cadastre.wire.calico;

import io.cadastre.engine.Missing;

/// That an answer rests on what was read for an earlier request.
///
/// The writes of a decision put it to the test. A decision that writes nothing, such as a refusal, is not
/// tested; so it must rest on what was read for it.
record UnverifiedAnswer() implements Missing {

    @Override
    public String sentence() {
        return "what was read before has not been read again";
    }
}
