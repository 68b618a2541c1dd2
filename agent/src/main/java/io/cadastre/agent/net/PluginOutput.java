package io.cadastre.agent.net;

import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.CniVersion;
import io.cadastre.wire.cni.GoText;

/// What a plugin that has ended meant by what it printed.
final class PluginOutput {

    private PluginOutput() {}

    /// @param version what the result is in if it does not say
    static CniResult result(CniAnswer answer, String version) {
        check(answer);
        return CniResult.parse(answer.stdout(), version).convert(CniVersion.NEWEST);
    }

    static void check(CniAnswer answer) {
        if (answer.exitCode() != 0) {
            throw new CniException(error(answer));
        }
    }

    private static CniError error(CniAnswer answer) {
        var status = "exit status " + answer.exitCode();
        if (answer.stdout().size() == 0) {
            return silence(answer.stderr().utf8(), status);
        }
        try {
            return CniError.parse(answer.stdout());
        } catch (CniException unreadable) {
            return CniError.of(
                    CniCode.UNKNOWN,
                    "netplugin failed but error parsing its diagnostic message %s: %s"
                            .formatted(
                                    GoText.quote(answer.stdout().utf8()),
                                    unreadable.error().msg()));
        }
    }

    /// The error of a plugin that printed none.
    static CniError silence(String stderr, String status) {
        return CniError.of(
                CniCode.UNKNOWN,
                stderr.isEmpty()
                        ? "netplugin failed with no error message: " + status
                        : "netplugin failed: %s: %s".formatted(GoText.quote(stderr), status));
    }
}
