package io.cadastre.registry;

/// Learns what happens to a request on its way to its outcome, to count it. The threads of a registrar call it, so it
/// waits for nothing.
public interface RequestListener {

    /// Its turn came: it is decided for the first time.
    void begun();

    /// What was decided met the write of another process, so it is decided anew.
    void conflicted();
}
