package io.cadastre.cni.runtime;

import io.cadastre.wire.cni.Members;
import io.cadastre.wire.json.Json;
import java.util.List;
import java.util.stream.Collectors;

/// Which interface of which container is meant, and what its plugins get besides their configuration.
///
/// @param netns the path of the container's network namespace, empty if it is gone
/// @param capabilityArgs by capability; a plugin gets those that it enables
public record AttachmentRequest(
        String containerId, String netns, String ifname, List<Argument> args, Members capabilityArgs) {

    public AttachmentRequest {
        args = List.copyOf(args);
    }

    /// One pair of `CNI_ARGS`.
    public record Argument(String key, String value) {}

    /// A request that gives its plugins nothing more.
    public static AttachmentRequest of(String containerId, String netns, String ifname) {
        return new AttachmentRequest(containerId, netns, ifname, List.of(), Members.of(Json.emptyObject()));
    }

    public AttachmentRequest withArgs(List<Argument> others) {
        return new AttachmentRequest(containerId, netns, ifname, others, capabilityArgs);
    }

    public AttachmentRequest withCapabilityArgs(Members others) {
        return new AttachmentRequest(containerId, netns, ifname, args, others);
    }

    /// As it stands in `CNI_ARGS`.
    String argsText() {
        return args.stream()
                .map(argument -> argument.key() + "=" + argument.value())
                .collect(Collectors.joining(";"));
    }
}
