package io.cadastre.wire.spiderpool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.wire.cni.CniRoute;
import io.cadastre.wire.cni.InterfaceAddress;
import io.cadastre.wire.cni.Members;
import io.cadastre.wire.json.Json;
import java.util.List;

/// One route of the agent's answer. Only its destination and gateway are included.
///
/// @param nic the interface of the pod that it leads through
public record AllocatedRoute(String nic, CniRoute route) {

    private static final List<String> REQUIRED = List.of("dst", "gw", "ifName");

    /// @param path where it stands in the form, such as `routes.0.`
    static AllocatedRoute read(Members form, String path) {
        Form.require(form, path, REQUIRED);
        var route = CniRoute.to(InterfaceAddress.parse(form.text("dst")));
        var gateway = form.text("gw");
        return new AllocatedRoute(
                form.text("ifName"), gateway.isEmpty() ? route : route.via(AllocatedIp.address(path + "gw", gateway)));
    }

    ObjectNode write() {
        return Json.emptyObject()
                .put("dst", route.destination().toString())
                .put("gw", route.gateway().map(Object::toString).orElse(""))
                .put("ifName", nic);
    }
}
