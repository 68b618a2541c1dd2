package io.cadastre.wire.cni;

import io.cadastre.datastore.Bytes;

/// What a plugin prints, and the status with which it ends.
public record CniAnswer(Bytes stdout, Bytes stderr, int exitCode) {

    static CniAnswer success(String stdout) {
        return new CniAnswer(Bytes.ofUtf8(stdout), Bytes.ofUtf8(""), 0);
    }

    static CniAnswer about(String stderr) {
        return new CniAnswer(Bytes.ofUtf8(""), Bytes.ofUtf8(stderr), 0);
    }

    /// The answer of a plugin that failed.
    public static CniAnswer failure(CniError error, String cniVersion) {
        return new CniAnswer(Bytes.ofUtf8(error.print(cniVersion)), Bytes.ofUtf8(""), 1);
    }
}
