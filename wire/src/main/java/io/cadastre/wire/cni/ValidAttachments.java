package io.cadastre.wire.cni;

import java.util.List;

/// The attachments that a GC must leave alone. All others of the network are to be released.
public record ValidAttachments(List<CniAttachment> attachments) {

    public ValidAttachments {
        attachments = List.copyOf(attachments);
    }

    /// Reads the list of this name. An entry without a container or an interface makes the list unreadable:
    /// skipping it would release what is in use.
    static ValidAttachments read(Members config, String name) {
        return new ValidAttachments(config.objects(name).stream()
                .map(entry -> new CniAttachment(required(entry, "containerID"), required(entry, "ifname")))
                .toList());
    }

    private static String required(Members entry, String name) {
        var text = entry.text(name);
        if (text.isEmpty()) {
            throw new CniException(
                    CniCode.INVALID_NETWORK_CONFIG, "a valid attachment has no " + name, entry.toString());
        }
        return text;
    }

    public boolean contains(String containerId, String ifname) {
        return attachments.contains(new CniAttachment(containerId, ifname));
    }

    /// Whether any interface of the container is valid.
    public boolean containsContainer(String containerId) {
        return attachments.stream()
                .anyMatch(attachment -> attachment.containerId().equals(containerId));
    }
}
