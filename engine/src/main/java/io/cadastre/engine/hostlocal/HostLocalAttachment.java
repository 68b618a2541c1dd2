package io.cadastre.engine.hostlocal;

/// An interface of a container: a holder of addresses.
///
/// @param containerId without spaces around it, which do not count
public record HostLocalAttachment(String containerId, String ifname) {

    /// Divides the two where they are written down.
    private static final String LINE_BREAK = "\r\n";

    public HostLocalAttachment {
        containerId = FolderEntry.trimmed(containerId);
        if (containerId.isEmpty()) {
            throw new IllegalArgumentException("an attachment has a container");
        }
    }

    /// What stands in the file of an address that this attachment holds.
    public String words() {
        return containerId + LINE_BREAK + ifname;
    }
}
