package io.cadastre.wire.spiderpool.objects;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.book.ResourceKind;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;

/// A set of addresses of which pools are made. It is shown as it is stored.
final class SpiderSubnetKind implements ResourceKind {

    private static final Traits TRAITS = SpiderKind.traits(
            "SpiderSubnet",
            SpiderKeys.SUBNETS,
            PrinterColumn.always("VERSION", "/spec/ipVersion"),
            PrinterColumn.always("SUBNET", "/spec/subnet"),
            PrinterColumn.always("ALLOCATED-IP-COUNT", "/status/allocatedIPCount"),
            PrinterColumn.always("TOTAL-IP-COUNT", "/status/totalIPCount"));

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public boolean isCalled(String typed) {
        return ResourceKind.super.isCalled(typed) || typed.equalsIgnoreCase("ss");
    }

    @Override
    public Bytes decode(String key, Bytes value) {
        var reader = new Fields(key);
        var json = Json.readObject(key, value);
        reader.expect(json, "kind", word());
        reader.expect(json, "apiVersion", SpiderKeys.API_VERSION);
        reader.expect(reader.object(json, Trees.METADATA), "name", name(key).orElseThrow());
        return Json.write(json);
    }
}
