package io.cadastre.wire.spiderpool;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.Members;
import io.cadastre.wire.json.Json;
import java.util.List;
import java.util.stream.Stream;

/// The form that asks the agent to take back all addresses of a pod, whether the pod is alive or not.
///
/// @param netNamespace the path of the pod's network namespace, empty if it is not known
/// @param dueToConflict whether an outside caller says that others have the addresses; the agent may be set
///     to refuse such a request. Plugins, which have seen the conflict themselves, do not set it
public record IpamBatchDelArgs(String containerId, String netNamespace, PodIdentity pod, boolean dueToConflict) {

    private static final List<String> REQUIRED = Stream.concat(Stream.of("containerID"), PodIdentity.REQUIRED.stream())
            .toList();

    /// Reads the form.
    ///
    /// @throws UnreadableFormException if it is not one
    public static IpamBatchDelArgs parse(Bytes body) {
        return Form.read(body, REQUIRED, IpamBatchDelArgs::read);
    }

    private static IpamBatchDelArgs read(Members form) {
        return new IpamBatchDelArgs(
                form.text("containerID"),
                form.text("netNamespace"),
                PodIdentity.read(form),
                form.flag("isReleaseConflictIPs"));
    }

    public Bytes encode() {
        var form = Json.emptyObject().put("containerID", containerId);
        Form.putUnlessEmpty(form, "netNamespace", netNamespace);
        pod.write(form);
        if (dueToConflict) {
            form.put("isReleaseConflictIPs", true);
        }
        return Form.write(form);
    }
}
