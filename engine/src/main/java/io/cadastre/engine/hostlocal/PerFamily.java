package io.cadastre.engine.hostlocal;

/// How many addresses of one family an attachment may get.
public sealed interface PerFamily {

    record Any() implements PerFamily {}

    /// One, since older results have no room for more.
    ///
    /// @param cniVersion the version of the result as it is written, maybe empty
    record One(String cniVersion) implements PerFamily {}
}
