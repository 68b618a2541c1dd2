package io.cadastre.wire.cni;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.datastore.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What an ADD made: in memory always in the form of the newest version, on the wire in the form of
/// the version that was asked for.
///
/// The family of an address follows from the address. Results of the middle versions also carry it as a
/// member, which the reference code uses even where it is wrong or missing.
///
/// @param cniVersion which version it was written in, or is meant for
public record CniResult(
        String cniVersion, List<CniInterface> interfaces, List<CniIp> ips, List<CniRoute> routes, CniDns dns) {

    public CniResult {
        interfaces = List.copyOf(interfaces);
        ips = List.copyOf(ips);
        routes = List.copyOf(routes);
    }

    /// A result of the newest version, to be printed in any.
    public static CniResult newest(List<CniInterface> interfaces, List<CniIp> ips, List<CniRoute> routes, CniDns dns) {
        return new CniResult(CniVersion.NEWEST, interfaces, ips, routes, dns);
    }

    /// What a plugin for addresses answers: no interfaces.
    public static CniResult ofAddresses(List<CniIp> ips, List<CniRoute> routes, CniDns dns) {
        return newest(List.of(), ips, routes, dns);
    }

    public static CniResult empty(String version) {
        return new CniResult(version, List.of(), List.of(), List.of(), CniDns.NONE);
    }

    /// Reads a result that says its version, or is of the oldest.
    ///
    /// @throws CniException if it is not one
    public static CniResult parse(Bytes document) {
        return parse(document, CniVersion.OLDEST);
    }

    /// Reads a result that says its version, or is of this one. A plain `null` is an empty result.
    ///
    /// @throws CniException if it is not one
    public static CniResult parse(Bytes document, String versionIfUnsaid) {
        try {
            var members = Members.parse(document);
            var said = members.text("cniVersion");
            return read(members, said.isEmpty() ? versionIfUnsaid : said);
        } catch (CniException unreadable) {
            throw unreadable.as(CniCode.INTERNAL, "");
        }
    }

    /// Reads a result that must be in the form of this version. It may say another version of the same
    /// form, and keeps that.
    ///
    /// @throws CniException if it is not one
    public static CniResult read(Members document, String version) {
        try {
            var family = ResultFamily.of(version);
            var said = document.text("cniVersion");
            if (!said.isEmpty()) {
                family.check(said);
            }
            return ResultForm.read(document, said.isEmpty() ? version : said, family);
        } catch (CniException unreadable) {
            throw unreadable.as(CniCode.INTERNAL, "");
        }
    }

    public CniResult withInterfaces(List<CniInterface> others) {
        return new CniResult(cniVersion, others, ips, routes, dns);
    }

    public CniResult withIps(List<CniIp> others) {
        return new CniResult(cniVersion, interfaces, others, routes, dns);
    }

    public CniResult withRoutes(List<CniRoute> others) {
        return new CniResult(cniVersion, interfaces, ips, others, dns);
    }

    public CniResult withDns(CniDns other) {
        return new CniResult(cniVersion, interfaces, ips, routes, other);
    }

    private CniResult withVersion(String version) {
        return new CniResult(version, interfaces, ips, routes, dns);
    }

    /// The result as it is in another version, without what that version cannot say. No version is the
    /// oldest one.
    ///
    /// @throws CniException if that version has no word for such a result
    public CniResult convert(String version) {
        var target = version.isEmpty() ? CniVersion.OLDEST : version;
        var from = ResultFamily.find(cniVersion);
        var to = ResultFamily.find(target);
        if (from.isEmpty() || to.isEmpty()) {
            throw new CniException(
                    CniCode.INTERNAL, "no converter for CNI result version %s to %s".formatted(cniVersion, target));
        }
        if (from.equals(to)) {
            return withVersion(target);
        }
        return switch (to.get()) {
            case OLDEST -> oneAddressPerFamily().withVersion(target);
            case MIDDLE ->
                withInterfaces(interfaces.stream()
                                .map(CniInterface::nameMacAndSandbox)
                                .toList())
                        .withVersion(target);
            case NEWEST -> withVersion(target);
        };
    }

    private CniResult oneAddressPerFamily() {
        var firsts = new ArrayList<CniIp>();
        var kept = new ArrayList<CniRoute>();
        for (var family : Family.values()) {
            first(family).ifPresent(ip -> {
                firsts.add(ip.onNoInterface());
                kept.addAll(routesOf(family));
            });
        }
        if (firsts.isEmpty()) {
            throw new CniException(CniCode.INTERNAL, "cannot convert: no valid IP addresses");
        }
        return new CniResult(cniVersion, List.of(), firsts, kept, dns);
    }

    Optional<CniIp> first(Family family) {
        return ips.stream().filter(ip -> ip.address().family() == family).findFirst();
    }

    List<CniRoute> routesOf(Family family) {
        return routes.stream()
                .filter(route -> route.destination().family() == family)
                .map(CniRoute::destinationAndGateway)
                .toList();
    }

    /// The result as an object of its own version.
    ///
    /// @throws CniException if there is no such version
    public ObjectNode tree() {
        return ResultForm.write(this, ResultFamily.of(cniVersion));
    }

    /// What a plugin prints when this version was asked for: with indents and without a line end.
    ///
    /// @throws CniException if that version has no word for such a result
    public String print(String version) {
        return CniJson.pretty(convert(version).tree());
    }
}
