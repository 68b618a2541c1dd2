package io.cadastre.engine.nodecidr.clustercidr;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.SloppyText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/// The rules that a ClusterCIDR must keep to be stored, in the words of the API server that refuses it.
///
/// There are two sets: that of the API that Kubernetes had from 1.25 to 1.28, `networking.k8s.io/v1alpha1`,
/// and that of the CustomResourceDefinition of today, `networking.x-k8s.io/v1`. The second one does not
/// know the smallest number of host bits. Each method returns a sentence for each broken rule, every
/// sentence once.
public final class ClusterCidrRules {

    private static final int HOST_BITS_MIN = 4;
    private static final int NAME_LENGTH_MAX = 63;
    private static final int SUBDOMAIN_LENGTH_MAX = 253;

    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";
    private static final String NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

    private static final Pattern LABEL_PATTERN = Pattern.compile(LABEL);
    private static final Pattern SUBDOMAIN_PATTERN = Pattern.compile(SUBDOMAIN);
    private static final Pattern NAME_PATTERN = Pattern.compile(NAME);

    private static final String NOT_A_LABEL =
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '%s')"
                    .formatted(LABEL);
    private static final String NOT_A_SUBDOMAIN =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '%s')"
                    .formatted(SUBDOMAIN);
    private static final String NOT_A_NAME =
            "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '%s')"
                    .formatted(NAME);

    private static final String NEITHER = "one or both of `ipv4` and `ipv6` must be specified";
    private static final String UNCHANGEABLE = "field is immutable";

    /// Messages of the CustomResourceDefinition, as its file has them.
    private static final String NEITHER_CRD = "A CIDR must be specified for ipv4 or ipv6.";

    private ClusterCidrRules() {}

    /// What `networking.k8s.io/v1alpha1` says of a new object.
    public static List<String> brokenInTree(ClusterCidr clusterCidr) {
        var spec = clusterCidr.spec();
        var broken = new ArrayList<String>();
        var name = clusterCidr.name();
        if (name.length() > NAME_LENGTH_MAX) {
            broken.add(invalid("metadata.name", quoted(name), "must be no more than 63 characters"));
        }
        if (!LABEL_PATTERN.matcher(name).matches()) {
            broken.add(invalid("metadata.name", quoted(name), NOT_A_LABEL));
        }
        broken.addAll(selectorInTree(spec.nodeSelector()));
        if (spec.families().isEmpty()) {
            broken.add("spec: Required value: " + NEITHER);
        }
        spec.families().forEach(family -> broken.addAll(cidrInTree(spec, family)));
        return broken.stream().distinct().toList();
    }

    private static List<String> cidrInTree(ClusterCidrSpec spec, Family family) {
        var text = spec.cidr(family);
        var path = "spec." + family;
        var read = SloppyText.parsePrefix(text);
        if (read.isEmpty()) {
            return List.of(invalid(path, quoted(text), "must be a valid CIDR: " + text));
        }
        var broken = new ArrayList<String>();
        if (!of(family, read.get())) {
            broken.add(invalid(path, quoted(text), "must be a valid %s CIDR".formatted(family)));
        }
        int bits = spec.perNodeHostBits();
        int bitsMax = family.bits() - read.get().length();
        if (bits < HOST_BITS_MIN) {
            broken.add(hostBits(bits, "must be greater than or equal to %d".formatted(HOST_BITS_MIN)));
        }
        if (bits > bitsMax) {
            broken.add(hostBits(bits, "must be less than or equal to %d".formatted(bitsMax)));
        }
        return broken;
    }

    private static String hostBits(int bits, String rule) {
        return invalid("spec.perNodeHostBits", Integer.toString(bits), rule);
    }

    /// A CIDR in IPv4-mapped form is of neither family: upstream takes it for an IPv4 one and gives invalid
    /// blocks.
    private static boolean of(Family family, Prefix cidr) {
        return cidr.family() == family && !cidr.ipv4Mapped();
    }

    /// What `networking.k8s.io/v1alpha1` says of a changed object. Both are valid by themselves.
    public static List<String> brokenInTree(ClusterCidrSpec before, ClusterCidrSpec after) {
        var broken = new ArrayList<String>();
        if (!before.nodeSelector().equals(after.nodeSelector())) {
            broken.add("spec.nodeSelector: Invalid value: " + UNCHANGEABLE);
        }
        if (before.perNodeHostBits() != after.perNodeHostBits()) {
            broken.add(hostBits(after.perNodeHostBits(), UNCHANGEABLE));
        }
        if (!before.ipv4().equals(after.ipv4())) {
            broken.add(invalid("spec.ipv4", quoted(after.ipv4()), UNCHANGEABLE));
        }
        if (!before.ipv6().equals(after.ipv6())) {
            broken.add(invalid("spec.ipv6", quoted(after.ipv6()), UNCHANGEABLE));
        }
        return broken;
    }

    /// What the CustomResourceDefinition of `networking.x-k8s.io/v1` says of a new object.
    public static List<String> brokenCustom(ClusterCidr clusterCidr) {
        var spec = clusterCidr.spec();
        var broken = new ArrayList<String>();
        var name = clusterCidr.name();
        if (name.length() > SUBDOMAIN_LENGTH_MAX
                || !SUBDOMAIN_PATTERN.matcher(name).matches()) {
            broken.add(invalid("metadata.name", quoted(name), NOT_A_SUBDOMAIN));
        }
        if (spec.families().isEmpty()) {
            broken.add("spec: Invalid value: " + NEITHER_CRD);
        }
        for (var family : spec.families()) {
            if (!strict(family, spec.cidr(family))) {
                broken.add(invalid(
                        "spec.ipv%s".formatted(family == Family.IPV4 ? 4 : 6),
                        quoted(spec.cidr(family)),
                        "%s must be a valid %s CIDR.".formatted(family, family)));
            }
        }
        return broken;
    }

    /// Whether it is a CIDR without leading zeros. Bits beyond its length may be set.
    private static boolean strict(Family family, String text) {
        int slash = text.indexOf('/');
        var read = SloppyText.parsePrefix(text);
        if (slash < 0 || read.isEmpty() || !text.endsWith("/" + read.get().length())) {
            return false;
        }
        try {
            var address = Address.parse(text.substring(0, slash));
            return address.family() == family && !address.ipv4Mapped();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /// What the CustomResourceDefinition of `networking.x-k8s.io/v1` says of a changed object.
    public static List<String> brokenCustom(ClusterCidrSpec before, ClusterCidrSpec after) {
        var broken = new ArrayList<String>();
        addChanged(broken, before, after, ClusterCidrSpec::ipv4, "IPv4");
        addChanged(broken, before, after, ClusterCidrSpec::ipv6, "IPv6");
        addChanged(broken, before, after, ClusterCidrSpec::nodeSelector, "NodeSelector");
        addChanged(broken, before, after, ClusterCidrSpec::perNodeHostBits, "PerNodeHostBits");
        return broken;
    }

    private static void addChanged(
            List<String> broken,
            ClusterCidrSpec before,
            ClusterCidrSpec after,
            Function<ClusterCidrSpec, Object> field,
            String name) {
        if (!field.apply(before).equals(field.apply(after))) {
            broken.add("spec: Invalid value: %s cannot be changed.".formatted(name));
        }
    }

    private static List<String> selectorInTree(NodeSelector selector) {
        var broken = new ArrayList<String>();
        if (selector instanceof NodeSelector.Terms(var terms)) {
            if (terms.isEmpty()) {
                broken.add("spec.nodeSelector.nodeSelectorTerms: Required value: must have at least one node"
                        + " selector term");
            }
            broken.addAll(selector(selector));
        }
        return broken;
    }

    /// What is wrong with a selector, so that no node can be compared with it.
    static List<String> selector(NodeSelector selector) {
        var broken = new ArrayList<String>();
        if (selector instanceof NodeSelector.Terms(var terms)) {
            for (int index = 0; index < terms.size(); index++) {
                var path = "spec.nodeSelector.nodeSelectorTerms[%d]".formatted(index);
                addRequirements(
                        broken, path + ".matchExpressions", terms.get(index).matchExpressions());
                addRequirements(broken, path + ".matchFields", terms.get(index).matchFields());
            }
        }
        return broken;
    }

    private static void addRequirements(List<String> broken, String path, List<SelectorRequirement> requirements) {
        for (int index = 0; index < requirements.size(); index++) {
            var here = "%s[%d]".formatted(path, index);
            var requirement = requirements.get(index);
            values(here, requirement).ifPresent(broken::add);
            if (!qualified(requirement.key())) {
                broken.add(invalid(here + ".key", quoted(requirement.key()), NOT_A_NAME));
            }
        }
    }

    private static Optional<String> values(String path, SelectorRequirement requirement) {
        var operator = LabelRequirement.Operator.find(requirement.operator());
        if (operator.isEmpty()) {
            return Optional.of(
                    invalid(path + ".operator", quoted(requirement.operator()), "not a valid selector operator"));
        }
        var values = requirement.values();
        return switch (operator.get()) {
            case IN, NOT_IN ->
                values.isEmpty()
                        ? Optional.of(
                                path + ".values: Required value: must be specified when `operator` is 'In' or 'NotIn'")
                        : Optional.empty();
            case EXISTS, DOES_NOT_EXIST ->
                values.isEmpty()
                        ? Optional.empty()
                        : Optional.of(path
                                + ".values: Forbidden: may not be specified when `operator` is 'Exists' or"
                                + " 'DoesNotExist'");
            case GREATER_THAN, LESS_THAN -> {
                if (values.size() != 1) {
                    yield Optional.of(path
                            + ".values: Required value: must be specified single value when `operator` is 'Lt'"
                            + " or 'Gt'");
                }
                yield LabelRequirement.number(values.getFirst()).isPresent()
                        ? Optional.empty()
                        : Optional.of(invalid(
                                path + ".values[0]",
                                quoted(values.getFirst()),
                                "for 'Gt', 'Lt' operators, the value must be an integer"));
            }
        };
    }

    /// Whether it is a label's key: a name, and perhaps the domain of its owner before it.
    private static boolean qualified(String key) {
        int slash = key.indexOf('/');
        var name = key.substring(slash + 1);
        boolean named =
                name.length() <= NAME_LENGTH_MAX && NAME_PATTERN.matcher(name).matches();
        return slash < 0
                ? named
                : named && SUBDOMAIN_PATTERN.matcher(key.substring(0, slash)).matches();
    }

    private static String invalid(String path, String value, String rule) {
        return "%s: Invalid value: %s: %s".formatted(path, value, rule);
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
