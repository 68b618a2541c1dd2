package io.cadastre.engine;

/// Something that an engine must look at and that its view has not read. Each engine has its own.
public interface Missing {

    /// A sentence without a full stop, for example "block 10.0.0.0/26 has not been read".
    String sentence();
}
