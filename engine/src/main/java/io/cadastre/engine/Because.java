package io.cadastre.engine;

/// One reason on the way to a decision, for the operator to read.
public interface Because {

    /// A sentence without a full stop, for example "passed over block 10.0.0.0/26: it is full".
    String sentence();
}
