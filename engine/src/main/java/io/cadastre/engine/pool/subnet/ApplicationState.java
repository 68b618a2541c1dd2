package io.cadastre.engine.pool.subnet;

/// What is known of an application.
public sealed interface ApplicationState {

    /// It exists.
    record Present(String uid) implements ApplicationState {}

    record Absent() implements ApplicationState {}

    /// It is of a kind that cannot be looked for.
    record Unknown() implements ApplicationState {}
}
