package io.cadastre.wire.spiderpool;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.Members;
import io.cadastre.wire.json.Json;

import java.util.List;
import java.util.stream.Stream;

/// The form in which the agent is told to take back all addresses of a pod, whether it lives or not.
///
/// @param netNamespace the path of the pod's network namespace, empty if it is not known
/// @param dueToConflict whether somebody outside says that others have the addresses, which the agent may
///     be set to pass over; plugins, which have seen it themselves, do not say so
public record IpamBatchDelArgs(
        String containerId, String netNamespace, PodIdentity pod, boolean dueToConflict) {

    private static final List<String> REQUIRED =
            Stream.concat(Stream.of("containerID"), PodIdentity.REQUIRED.stream()).toList();

    /// Reads the form.
    ///
    /// @throws UnreadableFormException if it is none
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
