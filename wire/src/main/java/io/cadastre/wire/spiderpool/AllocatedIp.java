package io.cadastre.wire.spiderpool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.wire.cni.CniIp;
import io.cadastre.wire.cni.InterfaceAddress;
import io.cadastre.wire.cni.Members;
import io.cadastre.wire.json.Json;
import java.util.List;

/// One address of an answer of the agent.
///
/// @param nic the interface of the pod that it is for
/// @param ip the address with the length of its pool's subnet, and the gateway of the pool if it has one
/// @param pool the name of the pool, or empty
/// @param vlan the number of the VLAN, zero for none
/// @param mac the hardware address that the interface is to have, or empty
/// @param detectsGateway whether the plugin must see that the gateway answers
/// @param detectsConflict whether the plugin must check that the address is not in use elsewhere
public record AllocatedIp(
        String nic, CniIp ip, String pool, int vlan, String mac, boolean detectsGateway, boolean detectsConflict) {

    private static final List<String> REQUIRED = List.of("address", "nic", "version");

    public AllocatedIp {
        if (vlan < 0) {
            throw new IllegalArgumentException("a VLAN has no negative number: " + vlan);
        }
        if (ip.gateway().isPresent()
                && ip.gateway().get().family() != ip.address().family()) {
            throw new IllegalArgumentException("%s cannot be reached through %s"
                    .formatted(ip.address(), ip.gateway().get()));
        }
    }

    /// An address of which nothing needs to be detected.
    public static AllocatedIp of(String nic, CniIp ip, String pool) {
        return new AllocatedIp(nic, ip, pool, 0, "", false, false);
    }

    public AllocatedIp detecting(boolean gateway, boolean conflict) {
        return new AllocatedIp(nic, ip, pool, vlan, mac, gateway, conflict);
    }

    public Family family() {
        return ip.address().family();
    }

    /// @param path where it stands in the form, such as `ips.0.`
    static AllocatedIp read(Members form, String path) {
        Form.require(form, path, REQUIRED);
        var address = InterfaceAddress.parse(form.text("address"));
        checkVersion(form, path, address);
        var ip = CniIp.of(address);
        var gateway = form.text("gateway");
        try {
            return new AllocatedIp(
                    form.text("nic"),
                    gateway.isEmpty() ? ip : ip.withGateway(address(path + "gateway", gateway)),
                    form.text("ipPool"),
                    form.integer("vlan").orElse(0),
                    form.text("mac"),
                    form.flag("enableGatewayDetection"),
                    form.flag("enableIPConflictDetection"));
        } catch (IllegalArgumentException impossible) {
            throw UnreadableFormException.malformed(
                    "%s in body: %s".formatted(path.substring(0, path.length() - 1), impossible.getMessage()),
                    impossible);
        }
    }

    private static void checkVersion(Members form, String path, InterfaceAddress address) {
        int version = form.integer("version").orElse(0);
        if (version != version(address.family())) {
            throw UnreadableFormException.malformed(
                    "%sversion in body is %d, and the address is %s".formatted(path, version, address));
        }
    }

    private static int version(Family family) {
        return switch (family) {
            case IPV4 -> 4;
            case IPV6 -> 6;
        };
    }

    static Address address(String path, String text) {
        try {
            return Address.parse(text);
        } catch (IllegalArgumentException none) {
            throw UnreadableFormException.malformed("%s in body is not an address: %s".formatted(path, text), none);
        }
    }

    ObjectNode write() {
        var form = Json.emptyObject()
                .put("address", ip.address().toString())
                .put("nic", nic)
                .put("version", version(family()));
        ip.gateway().ifPresent(gateway -> form.put("gateway", gateway.toString()));
        Form.putUnlessEmpty(form, "ipPool", pool);
        if (vlan != 0) {
            form.put("vlan", vlan);
        }
        Form.putUnlessEmpty(form, "mac", mac);
        putIfTrue(form, "enableGatewayDetection", detectsGateway);
        putIfTrue(form, "enableIPConflictDetection", detectsConflict);
        return form;
    }

    private static void putIfTrue(ObjectNode form, String name, boolean flag) {
        if (flag) {
            form.put(name, true);
        }
    }
}
