package io.cadastre.wire.spiderpool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.pool.NicAddress;
import io.cadastre.engine.pool.PodEndpoint;
import io.cadastre.wire.cni.InterfaceAddress;
import io.cadastre.wire.cni.Members;
import io.cadastre.wire.json.Json;
import java.util.List;
import java.util.stream.Stream;

/// What the agent knows of the interfaces that a pod has addresses for, as far as a plugin looks at it.
public record WorkloadEndpoint(PodIdentity pod, List<Nic> nics) {

    /// One interface with its addresses, at most one of each family.
    ///
    /// @param name empty as long as no interface has taken the addresses
    public record Nic(String name, List<InterfaceAddress> addresses) {

        public Nic {
            addresses = List.copyOf(addresses);
        }

        private static Nic read(Members form) {
            return new Nic(
                    form.text("interface"),
                    Stream.of(form.text("ipv4"), form.text("ipv6"))
                            .filter(text -> !text.isEmpty())
                            .map(InterfaceAddress::parse)
                            .toList());
        }
    }

    public WorkloadEndpoint {
        nics = List.copyOf(nics);
    }

    /// Reads the form.
    ///
    /// @throws UnreadableFormException if it is not one
    public static WorkloadEndpoint parse(Bytes body) {
        return Form.read(body, List.of("interfaces"), WorkloadEndpoint::read);
    }

    private static WorkloadEndpoint read(Members form) {
        return new WorkloadEndpoint(
                PodIdentity.read(form),
                Form.objects(form, "interfaces").stream().map(Nic::read).toList());
    }

    /// Writes the form of all that an endpoint has.
    ///
    /// @param pod whose endpoint it is; its UID is that of the endpoint
    public static Bytes encode(PodIdentity pod, PodEndpoint endpoint) {
        var form = Json.emptyObject();
        var interfaces = form.putArray("interfaces");
        endpoint.nics().forEach(nic -> interfaces.add(form(nic)));
        form.put("node", endpoint.node());
        new PodIdentity(pod.namespace(), pod.name(), endpoint.uid()).write(form);
        return Form.write(form);
    }

    private static ObjectNode form(io.cadastre.engine.pool.Nic nic) {
        var form = Json.emptyObject().put("interface", nic.name());
        nic.ipv4().ifPresent(address -> put(form, "ipv4", address));
        nic.ipv6().ifPresent(address -> put(form, "ipv6", address));
        if (nic.routes().isEmpty()) {
            form.putNull("routes");
        } else {
            var routes = form.putArray("routes");
            nic.routes()
                    .forEach(route -> routes.addObject()
                            .put("dst", route.dst())
                            .put("gw", route.gw())
                            .putNull("ifName"));
        }
        return form;
    }

    private static void put(ObjectNode form, String name, NicAddress address) {
        form.put(name, address.text());
        address.gateway().ifPresent(gateway -> form.put(name + "Gateway", gateway.toString()));
        form.put(name + "Pool", address.pool());
    }

    /// The addresses of one interface; none if it has none.
    public List<InterfaceAddress> addresses(String nic) {
        return nics.stream()
                .filter(one -> one.name().equals(nic))
                .flatMap(one -> one.addresses().stream())
                .toList();
    }
}
