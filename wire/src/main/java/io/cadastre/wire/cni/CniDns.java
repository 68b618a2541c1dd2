package io.cadastre.wire.cni;

import java.util.List;

/// How names are resolved. What is not said is empty.
public record CniDns(List<String> nameservers, String domain, List<String> search, List<String> options) {

    public static final CniDns NONE = new CniDns(List.of(), "", List.of(), List.of());

    public CniDns {
        nameservers = List.copyOf(nameservers);
        search = List.copyOf(search);
        options = List.copyOf(options);
    }

    public boolean isEmpty() {
        return equals(NONE);
    }

    /// Reads an object that is called `dns`.
    ///
    /// @throws CniException if it is not one
    public static CniDns read(Members dns) {
        return new CniDns(dns.texts("nameservers"), dns.text("domain"), dns.texts("search"), dns.texts("options"));
    }
}
