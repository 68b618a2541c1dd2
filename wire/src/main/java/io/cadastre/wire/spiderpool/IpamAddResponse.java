package io.cadastre.wire.spiderpool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniDns;
import io.cadastre.wire.cni.Members;
import io.cadastre.wire.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/// The form in which the agent reports the addresses of a pod. It may include interfaces that the call was
/// not about.
public record IpamAddResponse(List<AllocatedIp> ips, List<AllocatedRoute> routes, CniDns dns) {

    private static final List<String> REQUIRED = List.of("ips");

    public IpamAddResponse {
        ips = List.copyOf(ips);
        routes = List.copyOf(routes);
    }

    /// The part that is about one interface.
    public IpamAddResponse of(String nic) {
        return new IpamAddResponse(
                ips.stream().filter(ip -> ip.nic().equals(nic)).toList(),
                routes.stream().filter(route -> route.nic().equals(nic)).toList(),
                dns);
    }

    /// Reads an answer. A body without a list of addresses is not an answer: [#encode()] writes such a body
    /// when nothing was allocated, as Spiderpool does.
    ///
    /// @throws UnreadableFormException if it is not one
    public static IpamAddResponse parse(Bytes body) {
        return Form.read(body, REQUIRED, IpamAddResponse::read);
    }

    private static IpamAddResponse read(Members form) {
        return new IpamAddResponse(
                each(form, "ips", AllocatedIp::read),
                each(form, "routes", AllocatedRoute::read),
                form.object("dns").map(CniDns::read).orElse(CniDns.NONE));
    }

    private static <T> List<T> each(Members form, String name, BiFunction<Members, String, T> reading) {
        var entries = Form.objects(form, name);
        var read = new ArrayList<T>();
        for (int index = 0; index < entries.size(); index++) {
            read.add(reading.apply(entries.get(index), "%s.%d.".formatted(name, index)));
        }
        return read;
    }

    public Bytes encode() {
        var form = Json.emptyObject();
        if (!dns.isEmpty()) {
            writeDns(form.putObject("dns"));
        }
        putAll(form, "ips", ips, AllocatedIp::write);
        putAll(form, "routes", routes, AllocatedRoute::write);
        return Form.write(form);
    }

    private void writeDns(ObjectNode form) {
        Form.putUnlessEmpty(form, "domain", dns.domain());
        Form.putUnlessEmpty(form, "nameservers", dns.nameservers());
        Form.putUnlessEmpty(form, "options", dns.options());
        Form.putUnlessEmpty(form, "search", dns.search());
    }

    /// Spiderpool writes a list without entries as null.
    private static <T> void putAll(ObjectNode form, String name, List<T> entries, Function<T, ObjectNode> writing) {
        if (entries.isEmpty()) {
            form.putNull(name);
        } else {
            var array = form.putArray(name);
            entries.forEach(entry -> array.add(writing.apply(entry)));
        }
    }
}
