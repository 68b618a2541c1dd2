package io.cadastre.datastore.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.etcd.EtcdEndpoint.Scheme;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SrvLookupTest {

    @Test
    void membersAreOrderedByPriorityThenByWeight() throws Exception {
        var records = List.of(
                new DnsServer.Service(20, 0, 2379, "late.example.com"),
                new DnsServer.Service(10, 1, 2379, "light.example.com"),
                new DnsServer.Service(10, 9, 4001, "heavy.example.com"));
        try (var dns = new DnsServer(Map.of("_etcd-client._tcp.example.com", records))) {

            var found = new SrvLookup(dns.url()).find("example.com");

            assertThat(found)
                    .containsExactly(
                            new EtcdEndpoint(Scheme.HTTP, "heavy.example.com", 4001),
                            new EtcdEndpoint(Scheme.HTTP, "light.example.com", 2379),
                            new EtcdEndpoint(Scheme.HTTP, "late.example.com", 2379));
        }
    }

    @Test
    void securedMembersAreUsedAloneWhereThereAreAny() throws Exception {
        var clear = List.of(new DnsServer.Service(0, 0, 2379, "clear.example.com"));
        var secured = List.of(new DnsServer.Service(0, 0, 2379, "secured.example.com"));
        try (var dns = new DnsServer(Map.of(
                "_etcd-client._tcp.example.com", clear,
                "_etcd-client-ssl._tcp.example.com", secured))) {

            var found = new SrvLookup(dns.url()).find("example.com");

            assertThat(found).containsExactly(new EtcdEndpoint(Scheme.HTTPS, "secured.example.com", 2379));
        }
    }

    @Test
    void domainWithoutRecordsIsUnreachable() throws Exception {
        try (var dns = new DnsServer(Map.of())) {
            var lookup = new SrvLookup(dns.url());

            assertThatThrownBy(() -> lookup.find("example.com"))
                    .isInstanceOfSatisfying(
                            DatastoreException.class,
                            thrown -> assertThat(thrown.kind()).isEqualTo(DatastoreException.Kind.UNREACHABLE))
                    .hasMessageContaining("example.com");
        }
    }
}
