package io.cadastre.wire.calico.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.selector.SelectorText;
import io.cadastre.wire.json.Fields;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What an `IPPool` may say.
///
/// First come the rules that Calico's client checks; only if they hold, those that it leaves to the
/// schema and to a Kubernetes API server, if there is one.
final class IpPoolRules {

    static final String CIDR = "cidr";

    private static final String CIDR_FIELD = "IPPool.Spec.CIDR";
    private static final String BLOCK_SIZE_FIELD = "IPPool.Spec.BlockSize";

    private static final int BLOCK_BITS_DEFAULT = 6;
    private static final int BLOCK_BITS_MAX = 12;
    private static final int SELECTOR_BYTES_MAX = 1024;
    private static final int USES_MAX = 10;

    private static final String NEVER = "Never";
    private static final String EVERYTHING = "all()";
    private static final List<String> MODES = List.of(NEVER, "Always", "CrossSubnet");
    private static final List<String> ASSIGNMENT_MODES = List.of("Automatic", "Manual");
    private static final List<String> USES =
            List.of(AddressUse.WORKLOAD.toString(), AddressUse.TUNNEL.toString(), AddressUse.LOAD_BALANCER.toString());

    private static final Prefix LINK_LOCAL_IPV4 = Prefix.parse("169.254.0.0/16");
    private static final Prefix LINK_LOCAL_IPV6 = Prefix.parse("fe80::/10");

    private IpPoolRules() {}

    /// What a document says, as far as the rules ask; with the defaults of what it leaves out.
    private record Spec(
            String cidr,
            int blockSize,
            boolean disabled,
            boolean disableBgpExport,
            String ipip,
            String vxlan,
            String nodeSelector,
            String namespaceSelector,
            List<String> uses,
            String mode) {

        static Spec read(Fields reader, ObjectNode spec) {
            return new Spec(
                    reader.text(spec, CIDR),
                    reader.integer(spec.path("blockSize"), "blockSize"),
                    reader.flag(spec, "disabled"),
                    reader.flag(spec, "disableBGPExport"),
                    or(reader.text(spec, "ipipMode"), NEVER),
                    or(reader.text(spec, "vxlanMode"), NEVER),
                    or(reader.text(spec, "nodeSelector"), EVERYTHING),
                    reader.text(spec, "namespaceSelector"),
                    reader.texts(spec, "allowedUses"),
                    or(reader.text(spec, "assignmentMode"), ASSIGNMENT_MODES.getFirst()));
        }

        private static String or(String text, String otherwise) {
            return text.isEmpty() ? otherwise : text;
        }

        boolean allows(AddressUse use) {
            return uses.isEmpty() ? IpPool.ALLOWED_USES_DEFAULT.contains(use) : uses.contains(use.toString());
        }

        boolean encapsulates() {
            return !ipip.equals(NEVER) || !vxlan.equals(NEVER);
        }

        int blockLength(Prefix prefix) {
            return blockSize == 0 ? prefix.family().bits() - BLOCK_BITS_DEFAULT : blockSize;
        }
    }

    /// The prefix of a pool, masked; empty if it has none that can be read.
    static Optional<Prefix> prefix(String text) {
        return parse(text).map(read -> Prefix.containing(read.address(), read.length()));
    }

    private record Read(Address address, int length) {}

    private static Optional<Read> parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !text.substring(slash + 1).matches("0*\\d{1,3}")) {
            return Optional.empty();
        }
        try {
            var address = Address.parse(text.substring(0, slash));
            int length = Integer.parseInt(text.substring(slash + 1));
            return length > address.family().bits() || (address.family() == Family.IPV6 && address.ipv4Mapped())
                    ? Optional.empty()
                    : Optional.of(new Read(address, length));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// What is wrong with a document by itself.
    static List<ResourceFault> faults(Fields reader, ObjectNode json) {
        var spec = Spec.read(reader, reader.object(json, "spec"));
        var faults = new ArrayList<ResourceFault>();
        addClientFaults(faults, spec);
        if (faults.isEmpty()) {
            addSchemaFaults(faults, spec);
        }
        if (faults.isEmpty()) {
            addSpecFaults(faults, spec, prefix(spec.cidr()).orElseThrow());
        }
        return faults;
    }

    private static void addClientFaults(List<ResourceFault> faults, Spec spec) {
        addSelectorFault(faults, "NodeSelector", spec.nodeSelector());
        addSelectorFault(faults, "NamespaceSelector", spec.namespaceSelector());
        for (int index = 0; index < spec.uses().size(); index++) {
            var use = spec.uses().get(index);
            if (!USES.contains(use)) {
                faults.add(new ResourceFault("IPpool.AllowedUses", use, "unknown use: " + use));
                faults.add(ResourceFault.of("spec.allowedUses[%d]".formatted(index), supported(USES)));
            }
        }
        var read = parse(spec.cidr());
        if (spec.cidr().isEmpty()) {
            faults.add(ResourceFault.of(CIDR_FIELD, "IPPool CIDR must be specified"));
        } else if (read.isEmpty()) {
            faults.add(new ResourceFault(CIDR_FIELD, spec.cidr(), "IPPool CIDR must be a valid subnet"));
        } else {
            var prefix = Prefix.containing(read.get().address(), read.get().length());
            if (!prefix.first().equals(read.get().address())) {
                faults.add(new ResourceFault(CIDR_FIELD, prefix.toString(), "IPPool CIDR is not strictly masked"));
            }
        }
    }

    private static void addSelectorFault(List<ResourceFault> faults, String field, String text) {
        var read = SelectorText.of(text);
        if (read instanceof SelectorText.TooMuch(var _, var bound)) {
            faults.add(new ResourceFault(field, text, bound + "; write a simpler one"));
        }
        if (read instanceof SelectorText.Malformed) {
            faults.add(new ResourceFault(
                    field, text, "Reason: failed to validate Field: %s because of Tag: selector ".formatted(field)));
        }
    }

    private static void addSchemaFaults(List<ResourceFault> faults, Spec spec) {
        addLengthFault(faults, "nodeSelector", spec.nodeSelector());
        addLengthFault(faults, "namespaceSelector", spec.namespaceSelector());
        addWordFault(faults, "vxlanMode", spec.vxlan(), MODES);
        addWordFault(faults, "ipipMode", spec.ipip(), MODES);
        addWordFault(faults, "assignmentMode", spec.mode(), ASSIGNMENT_MODES);
        if (spec.uses().size() > USES_MAX) {
            faults.add(ResourceFault.of("spec.allowedUses", "must have at most %d items".formatted(USES_MAX)));
        }
    }

    private static void addLengthFault(List<ResourceFault> faults, String field, String text) {
        if (text.getBytes(StandardCharsets.UTF_8).length > SELECTOR_BYTES_MAX) {
            faults.add(
                    ResourceFault.of("spec." + field, "may not be more than %d bytes".formatted(SELECTOR_BYTES_MAX)));
        }
    }

    private static void addWordFault(List<ResourceFault> faults, String field, String word, List<String> words) {
        if (!words.contains(word)) {
            faults.add(ResourceFault.of("spec." + field, supported(words)));
        }
    }

    private static String supported(List<String> words) {
        return "supported values: \"%s\"".formatted(String.join("\", \"", words));
    }

    private static void addSpecFaults(List<ResourceFault> faults, Spec spec, Prefix cidr) {
        var reasons = new ArrayList<String>();
        int bits = cidr.family().bits();
        int length = spec.blockLength(cidr);
        if (length < bits - BLOCK_BITS_MAX || length > bits) {
            reasons.add(
                    "blockSize must be between 20 and 32 for IPv4 pools, and between 116 and 128" + " for IPv6 pools");
        } else if (cidr.length() > length && !spec.disabled()) {
            reasons.add("IP pool size is too small for use with Calico IPAM. It must be equal to or"
                    + " greater than the block size.");
        }
        if (!spec.ipip().equals(NEVER) && !spec.vxlan().equals(NEVER)) {
            reasons.add("ipipMode and vxlanMode cannot both be enabled");
        }
        if (!spec.ipip().equals(NEVER) && cidr.family() == Family.IPV6) {
            reasons.add("IPIP is not supported on IPv6 pools");
        }
        if (cidr.overlaps(LINK_LOCAL_IPV4)) {
            reasons.add("IPPool CIDR overlaps with IPv4 link local range 169.254.0.0/16");
        }
        if (cidr.overlaps(LINK_LOCAL_IPV6)) {
            reasons.add("IPPool CIDR overlaps with IPv6 link local range fe80::/10");
        }
        addSelectorReasons(reasons, spec);
        addLoadBalancerReasons(reasons, spec);
        reasons.forEach(reason -> faults.add(ResourceFault.ofSpec(reason)));
    }

    private static void addSelectorReasons(List<String> reasons, Spec spec) {
        if (spec.nodeSelector().contains("global(")) {
            reasons.add("global() selector is not valid for IPPool nodeSelector");
        }
        if (spec.namespaceSelector().contains("global(")) {
            reasons.add("global() selector is not valid for IPPool namespaceSelector");
        }
        if (spec.allows(AddressUse.TUNNEL) && !spec.namespaceSelector().isEmpty()) {
            reasons.add("IP Pool with AllowedUse Tunnel cannot have namespaceSelector");
        }
    }

    private static void addLoadBalancerReasons(List<String> reasons, Spec spec) {
        if (!spec.allows(AddressUse.LOAD_BALANCER)) {
            return;
        }
        if (spec.allows(AddressUse.WORKLOAD) || spec.allows(AddressUse.TUNNEL)) {
            reasons.add("LoadBalancer cannot be combined with Workload or Tunnel allowed uses");
        }
        if (spec.encapsulates()) {
            reasons.add("LoadBalancer IP pool cannot have IPIP or VXLAN enabled");
        }
        if (spec.disableBgpExport()) {
            reasons.add("LoadBalancer IP pools cannot disable BGP export");
        }
        if (!spec.nodeSelector().equals(EVERYTHING)) {
            reasons.add("IP Pool with AllowedUse LoadBalancer must have nodeSelector set to all()");
        }
    }

    /// What is wrong with a new pool among the others.
    static List<ResourceFault> faultsOfCreation(IpPool created, ResourceView view) {
        var faults = overlaps(created, view);
        if (view.blocks().stream()
                .anyMatch(block -> block.overlaps(created.cidr()) && block.length() != created.blockLength())) {
            faults.add(new ResourceFault(
                    BLOCK_SIZE_FIELD,
                    Integer.toString(created.blockLength()),
                    "IPPool blocksSize conflicts with existing allocations that use a" + " different blockSize"));
        }
        return faults;
    }

    private static List<ResourceFault> overlaps(IpPool created, ResourceView view) {
        var faults = new ArrayList<ResourceFault>();
        for (var document : view.pools()) {
            var other = document.pool();
            if (!other.name().equals(created.name()) && other.cidr().overlaps(created.cidr())) {
                faults.add(new ResourceFault(
                        CIDR_FIELD,
                        created.cidr().toString(),
                        "IPPool(%s) CIDR overlaps with IPPool(%s) CIDR %s"
                                .formatted(created.name(), other.name(), other.cidr())));
            }
        }
        for (var neighbour : view.neighbours()) {
            if (neighbour.range().overlaps(created.cidr().range())) {
                faults.add(new ResourceFault(
                        CIDR_FIELD,
                        created.cidr().toString(),
                        "IPPool(%1$s) CIDR overlaps with %2$s %3$s: no two dialects in one store may give addresses of one range; choose another CIDR, or delete %2$s first"
                                .formatted(created.name(), neighbour.holder(), neighbour.range())));
            }
        }
        return faults;
    }

    /// What is wrong with a pool that is to take the place of another.
    static List<ResourceFault> faultsOfUpdate(IpPool before, IpPool after) {
        var faults = new ArrayList<ResourceFault>();
        if (!after.cidr().equals(before.cidr())) {
            faults.add(new ResourceFault(CIDR_FIELD, after.cidr().toString(), "IPPool CIDR cannot be modified"));
        }
        if (after.blockLength() != before.blockLength()) {
            faults.add(new ResourceFault(
                    BLOCK_SIZE_FIELD, Integer.toString(after.blockLength()), "IPPool BlockSize cannot be modified"));
        }
        if (before.allows(AddressUse.LOAD_BALANCER) && !after.allows(AddressUse.LOAD_BALANCER)) {
            faults.add(new ResourceFault(
                    "IPPool.Spec.AllowedUses",
                    after.allowedUses().toString().replace(",", ""),
                    "IPPool allowed use cannot be changed from LoadBalacer to Workload or" + " Tunnel"));
        }
        return faults;
    }
}
