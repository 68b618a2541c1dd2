package io.cadastre.wire.cni;

import com.fasterxml.jackson.databind.JsonNode;
import io.cadastre.datastore.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The configuration of a network as a plugin gets it: the bytes, and the members that were read from them.
///
/// Its name is valid. Everything else is read when it is asked for, and may be unreadable then.
public final class NetworkConfig {

    private static final List<String> ATTACHMENT_LISTS = List.of("cni.dev/valid-attachments", "cni.dev/attachments");

    /// Null for a configuration that was changed and has not been written.
    private final @Nullable Bytes written;

    private final Members members;
    private final String name;

    private NetworkConfig(@Nullable Bytes written, Members members, String name) {
        this.written = written;
        this.members = members;
        this.name = name;
    }

    /// Reads what a runtime or a delegating plugin writes.
    ///
    /// @throws CniException with code 6 if it is not a JSON object, with code 7 if it has no valid name
    public static NetworkConfig read(Bytes raw) {
        return of(raw, () -> Members.parse(raw));
    }

    private static NetworkConfig of(@Nullable Bytes written, Supplier<Members> reading) {
        Members members;
        String name;
        try {
            members = reading.get();
            name = members.text("name");
        } catch (CniException unreadable) {
            throw unreadable.as(CniCode.DECODING_FAILURE, "error unmarshall network config: ");
        }
        if (name.isEmpty()) {
            throw new CniException(CniCode.INVALID_NETWORK_CONFIG, "missing network name");
        }
        CniNames.checkNetworkName(name);
        return new NetworkConfig(written, members, name);
    }

    /// The same configuration with one member set, for a delegate.
    public NetworkConfig with(String member, JsonNode value) {
        return of(null, () -> members.with(member, value));
    }

    /// What a program reads: the bytes that were received, or a changed configuration on one line.
    public Bytes raw() {
        return written == null ? members.encode() : written;
    }

    public Members members() {
        return members;
    }

    public String name() {
        return name;
    }

    /// The version in which the network is described, the oldest if none is written.
    ///
    /// @throws CniException with code 6 if it is not text
    public String cniVersion() {
        var version = writtenVersion();
        return version.isEmpty() ? CniVersion.OLDEST : version;
    }

    /// The version as it is written, empty if it is not.
    ///
    /// @throws CniException with code 6 if it is not text
    public String writtenVersion() {
        try {
            return members.text("cniVersion");
        } catch (CniException unreadable) {
            throw unreadable.as(CniCode.DECODING_FAILURE, "decoding version from network config: ");
        }
    }

    public String type() {
        return members.text("type");
    }

    public Optional<Members> ipam() {
        return members.object("ipam");
    }

    public Optional<Members> runtimeConfig() {
        return members.object("runtimeConfig");
    }

    public Optional<Members> args() {
        return members.object("args");
    }

    public CniDns dns() {
        return members.object("dns").map(CniDns::read).orElse(CniDns.NONE);
    }

    /// The result of the plugin before, or of the whole ADD, in the version of this configuration.
    ///
    /// @throws CniException if it has the form of other versions
    public Optional<CniResult> prevResult() {
        try {
            return members.object("prevResult")
                    .map(written -> CniResult.read(written, cniVersion()).convert(cniVersion()));
        } catch (CniException unreadable) {
            throw unreadable.as(CniCode.INTERNAL, "could not parse prevResult: ");
        }
    }

    /// What a GC must leave alone. If nothing is written, that is everything. If the list is empty or null,
    /// nothing is valid any more.
    public Optional<ValidAttachments> validAttachments() {
        return ATTACHMENT_LISTS.stream()
                .filter(members::mentions)
                .findFirst()
                .map(list -> ValidAttachments.read(members, list));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NetworkConfig that && raw().equals(that.raw());
    }

    @Override
    public int hashCode() {
        return raw().hashCode();
    }

    @Override
    public String toString() {
        return raw().toString();
    }
}
