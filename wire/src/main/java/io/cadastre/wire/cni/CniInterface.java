package io.cadastre.wire.cni;

/// One interface of a result. What is unknown is empty, or zero.
///
/// @param sandbox the network namespace it is in, empty for the host's
public record CniInterface(String name, String mac, int mtu, String sandbox, String socketPath, String pciId) {

    public static CniInterface named(String name) {
        return new CniInterface(name, "", 0, "", "", "");
    }

    public CniInterface withMac(String other) {
        return new CniInterface(name, other, mtu, sandbox, socketPath, pciId);
    }

    public CniInterface withMtu(int bytes) {
        return new CniInterface(name, mac, bytes, sandbox, socketPath, pciId);
    }

    public CniInterface inSandbox(String other) {
        return new CniInterface(name, mac, mtu, other, socketPath, pciId);
    }

    /// What is left of it in versions before 1.0.0.
    CniInterface nameMacAndSandbox() {
        return new CniInterface(name, mac, 0, sandbox, "", "");
    }

    /// @throws CniException if it is not one
    static CniInterface read(Members written) {
        return new CniInterface(
                written.text("name"),
                written.text("mac"),
                written.integer("mtu").orElse(0),
                written.text("sandbox"),
                written.text("socketPath"),
                written.text("pciID"));
    }
}
