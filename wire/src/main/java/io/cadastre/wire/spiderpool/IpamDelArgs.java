package io.cadastre.wire.spiderpool;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.Members;
import io.cadastre.wire.json.Json;
import java.util.List;
import java.util.stream.Stream;

/// The form that reports to the agent that an interface of a pod is gone.
///
/// @param netNamespace the path of the pod's network namespace, empty if that is gone too
public record IpamDelArgs(String containerId, String ifName, String netNamespace, PodIdentity pod) {

    private static final List<String> REQUIRED = Stream.concat(
                    Stream.of("containerID", "ifName"), PodIdentity.REQUIRED.stream())
            .toList();

    /// Reads the form.
    ///
    /// @throws UnreadableFormException if it is not one
    public static IpamDelArgs parse(Bytes body) {
        return Form.read(body, REQUIRED, IpamDelArgs::read);
    }

    private static IpamDelArgs read(Members form) {
        return new IpamDelArgs(
                form.text("containerID"), form.text("ifName"), form.text("netNamespace"), PodIdentity.read(form));
    }

    public Bytes encode() {
        var form = Json.emptyObject().put("containerID", containerId).put("ifName", ifName);
        Form.putUnlessEmpty(form, "netNamespace", netNamespace);
        pod.write(form);
        return Form.write(form);
    }
}
