package io.cadastre.engine;

/// What a request came to, for the operator to read. Outcomes without a sentence are shown as their values.
public interface Outcome {

    /// A sentence without a full stop, for example "nothing is released: the pod has no endpoint".
    String sentence();
}
