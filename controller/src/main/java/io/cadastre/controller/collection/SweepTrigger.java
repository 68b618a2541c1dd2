package io.cadastre.controller.collection;

/// What the collector is to look at.
enum SweepTrigger {
    /// All nodes.
    EVERYTHING,
    /// What has changed since the last look.
    CHANGED
}
