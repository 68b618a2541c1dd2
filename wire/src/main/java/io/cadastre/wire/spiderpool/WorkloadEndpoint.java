package io.cadastre.wire.spiderpool;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.InterfaceAddress;
import io.cadastre.wire.cni.Members;
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

    /// The addresses of one interface; none if it has none.
    public List<InterfaceAddress> addresses(String nic) {
        return nics.stream()
                .filter(one -> one.name().equals(nic))
                .flatMap(one -> one.addresses().stream())
                .toList();
    }
}
