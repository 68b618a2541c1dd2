package io.cadastre.controller.collection;

/// What somebody is sent to look at.
enum Errand {
    /// All nodes.
    EVERYTHING,
    /// What has changed since the last look.
    CHANGED
}
