package io.cadastre.datastore.etcd;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Hashtable;
import java.util.List;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.directory.InitialDirContext;

/// Finds the members of an etcd cluster in the service records of a DNS domain.
///
/// Looks for `_etcd-client-ssl._tcp` first and for `_etcd-client._tcp` only if the domain has no
/// such record: what a cluster offers secured is never used in the clear.
///
/// @param provider the DNS server as a JNDI URL; `dns:` stands for those of the machine
record SrvLookup(String provider) {

    static final SrvLookup OF_THE_MACHINE = new SrvLookup("dns:");

    private static final String ATTEMPT_MILLISECONDS = "1000";
    private static final String ATTEMPTS_MAX = "2";

    List<EtcdEndpoint> find(String domain) {
        try {
            var secured = find(domain, "_etcd-client-ssl._tcp.", EtcdEndpoint.Scheme.HTTPS);
            var found = secured.isEmpty() ? find(domain, "_etcd-client._tcp.", EtcdEndpoint.Scheme.HTTP) : secured;
            if (found.isEmpty()) {
                throw new DatastoreException(
                        Kind.UNREACHABLE,
                        "DNS names no etcd members: %s has neither _etcd-client-ssl._tcp nor".formatted(domain)
                                + " _etcd-client._tcp records");
            }
            return found;
        } catch (NamingException failed) {
            throw new DatastoreException(
                    Kind.UNREACHABLE,
                    "cannot look up the etcd members of domain %s: %s".formatted(domain, failed.getMessage()),
                    failed);
        }
    }

    /// Only the DNS provider is asked, and only for service records, which come as text: nothing is
    /// deserialized.
    @SuppressWarnings({"BanJNDI", "JdkObsolete"})
    private List<EtcdEndpoint> find(String domain, String service, EtcdEndpoint.Scheme scheme) throws NamingException {
        var environment = new Hashtable<String, String>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
        environment.put(Context.PROVIDER_URL, provider);
        environment.put("com.sun.jndi.dns.timeout.initial", ATTEMPT_MILLISECONDS);
        environment.put("com.sun.jndi.dns.timeout.retries", ATTEMPTS_MAX);
        var context = new InitialDirContext(environment);
        try {
            var records = context.getAttributes(service + domain, new String[] {"SRV"})
                    .get("SRV");
            var services = new ArrayList<Service>();
            for (int index = 0; records != null && index < records.size(); index++) {
                services.add(Service.parse((String) records.get(index)));
            }
            services.sort(Service.PREFERRED_FIRST);
            return services.stream()
                    .map(found -> new EtcdEndpoint(scheme, found.host, found.port))
                    .toList();
        } catch (NameNotFoundException none) {
            return List.of();
        } finally {
            context.close();
        }
    }

    /// A service record: priority, weight, port and host, as JNDI writes it.
    private record Service(int priority, int weight, int port, String host) {

        static final Comparator<Service> PREFERRED_FIRST = Comparator.comparingInt(Service::priority)
                .thenComparing(Comparator.comparingInt(Service::weight).reversed())
                .thenComparing(Service::host)
                .thenComparingInt(Service::port);

        static Service parse(String text) throws NamingException {
            var parts = text.split(" ", -1);
            if (parts.length != 4) {
                throw new NamingException("not a service record: " + text);
            }
            var host = parts[3];
            return new Service(
                    Integer.parseInt(parts[0]),
                    Integer.parseInt(parts[1]),
                    Integer.parseInt(parts[2]),
                    host.endsWith(".") ? host.substring(0, host.length() - 1) : host);
        }
    }
}
