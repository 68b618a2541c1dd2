package io.cadastre.wire.spiderpool.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.objects.ObjectView.Host;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Pools and reserved addresses that cannot be: each is refused by the field and the rule.
class PoolBadInputTest {

    private static String refusal(SpiderKind kind, String spec) {
        var json = Json.emptyObject();
        json.putObject("metadata").put("name", "p");
        json.set("spec", Json.readObject("spec", Bytes.ofUtf8(spec.replace("'", "\""))));
        var given = new Given(kind, json, new UUID(0, 1), Instant.EPOCH, List.of(Family.IPV4));
        var view = new ObjectView(List.of(), List.of(), Host.DOCUMENTS);
        var decision = SpiderObjects.apply(view, given);
        assertThat(decision.changes()).isEmpty();
        return ((ObjectOutcome.Refused) decision.outcome()).sentence();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'subnet':'10.6.0.0/33'}|spec.ipVersion: Invalid value",
                "{'subnet':'abc'}|is not generated correctly, 'spec.subnet' may be invalid",
                "{'subnet':'10.6.0.5/24'}|unformatted subnet 10.6.0.5/24, please change it to 10.6.0.0/24",
                "{'subnet':'10.6.0.0/24','ips':['10.7.0.1']}|not match base subnet",
                "{'subnet':'10.6.0.0/24','ips':['10.6.0.0/28']}|spec.subnet: Invalid value",
                "{'subnet':'10.6.0.0/24','ips':['10.6.0.1 - 10.6.0.2']}|spec.subnet: Invalid value",
                "{'subnet':'10.6.0.0/24','ips':['10.6.0.1-10.6.0.2-10.6.0.3']}|spec.subnet: Invalid value",
                "{'subnet':'10.6.0.0/24','ips':['10.6.0.1-fd00::1']}|spec.subnet: Invalid value",
                "{'subnet':'10.6.0.0/24','ips':['10.6.0.10-10.6.0.1']}|spec.subnet: Invalid value",
                "{'subnet':'10.6.0.0/24','ips':['10.6.0.1-10.6.0.9'],'excludeIPs':['10.6.0.5-10.6.0.2']}|Invalid value",
                "{'subnet':'10.6.0.0/24','ips':['10.6.0.1'],'gateway':'10.6.0.1'}|conflicts with 'spec.gateway'"
                        + " 10.6.0.1",
                "{'subnet':'10.6.0.0/24','routes':[{'dst':'0.0.0.0/0','gw':'10.6.0.1'}]}|please specify 'spec.gateway'"
                        + " to configure the default route",
                "{'subnet':'10.6.0.0/24','podAffinity':{}}|empty podAffinity is invalid for SpiderIPPool",
                "{'subnet':'10.6.0.0/24','podAffinity':{'matchLabels':{'a b':'c'}}}|spec.podAffinity",
                "{'subnet':'fd00::/64'}|IPv6 is disabled",
            })
    void impossiblePoolIsRefused(String spec, String words) {
        assertThat(refusal(SpiderKinds.POOL, spec)).contains(words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|is not generated correctly, 'spec.ips' is empty or 'spec.ips[0]' may be invalid",
                "{'ips':[]}|is not generated correctly",
                "{'ips':['garbage']}|is not generated correctly",
                "{'ips':['10.6.0.1','garbage']}|invalid IP range format in IPv4 'garbage'",
                "{'ips':['10.6.0.9-10.6.0.1']}|spec.ip",
            })
    void impossibleReservationIsRefused(String spec, String words) {
        assertThat(refusal(SpiderKinds.RESERVED, spec)).contains(words);
    }
}
