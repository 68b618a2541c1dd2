package io.cadastre.engine.pool.select;

import io.cadastre.address.Family;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.Nic.GatewayUse;
import io.cadastre.engine.pool.PoolAllocateRequest;
import io.cadastre.engine.pool.PoolNames;
import io.cadastre.engine.pool.PoolPreference;
import io.cadastre.engine.pool.PoolRefusal;
import io.cadastre.engine.pool.PoolRefusedException;
import io.cadastre.engine.pool.PoolView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// Which pools a pod may have addresses of, and on which interfaces.
///
/// @param form whether interfaces are known by their names
public record PoolCandidates(String source, Form form, List<Plan> plans) {

    private static final String FIRST_NIC = "eth0";

    /// How the interfaces are distinguished.
    public enum Form {
        NAMED,

        /// By their place. The first is eth0, and each of the others belongs to the next request.
        NUMBERED
    }

    /// What one interface is to have.
    ///
    /// @param label the name of the interface, or its number
    /// @param nic its name in the endpoint; empty as long as it is not claimed
    /// @param pools the names by family, without patterns
    public record Plan(String label, String nic, GatewayUse gatewayUse, SortedMap<Family, List<String>> pools) {}

    /// By the first rule that says anything.
    public static PoolCandidates of(PoolView view, PoolAllocateRequest request) {
        return new Choice(view, request).candidates();
    }

    private record Choice(PoolView view, PoolAllocateRequest request) {

        PoolCandidates candidates() {
            var preferences = request.preferences();
            if (!(preferences.pod() instanceof PoolPreference.Silent)) {
                return of("the Pod's annotation", preferences.pod());
            }
            if (says(preferences.namespace())) {
                return of("the Namespace's annotation", preferences.namespace());
            }
            if (says(preferences.configured())) {
                return of("the CNI configuration", preferences.configured());
            }
            return ofDefaults();
        }

        /// A source other than the pod itself has to name something, or be unreadable.
        private static boolean says(PoolPreference preference) {
            return switch (preference) {
                case PoolPreference.Silent _ -> false;
                case PoolPreference.Single(var names) -> !names.empty();
                case PoolPreference.Several _, PoolPreference.OfSubnet _, PoolPreference.Broken _ -> true;
            };
        }

        private PoolCandidates of(String source, PoolPreference preference) {
            return switch (preference) {
                case PoolPreference.Silent _ ->
                    throw new IllegalStateException("a source without a preference has no candidates");
                case PoolPreference.Broken(var sentence) ->
                    throw new PoolRefusedException(new PoolRefusal.Malformed(sentence));
                case PoolPreference.OfSubnet(var annotation) ->
                    throw new PoolRefusedException(new PoolRefusal.PoolOfSubnetUnknown(annotation));
                case PoolPreference.Single(var names) ->
                    new PoolCandidates(
                            source,
                            Form.NAMED,
                            List.of(plan(
                                    source,
                                    request.nic(),
                                    request.nic(),
                                    request.preferences().gatewayUse(),
                                    names)));
                case PoolPreference.Several(var items) -> ofItems(source, items);
            };
        }

        private PoolCandidates ofItems(String source, List<PoolPreference.Item> items) {
            check(items);
            var form = items.getFirst().nic().isEmpty() ? Form.NUMBERED : Form.NAMED;
            var plans = IntStream.range(0, items.size())
                    .mapToObj(index -> {
                        var item = items.get(index);
                        return plan(
                                source,
                                form == Form.NAMED ? item.nic() : Integer.toString(index),
                                form == Form.NUMBERED && index == 0 ? FIRST_NIC : item.nic(),
                                item.gatewayUse(),
                                item.names());
                    })
                    .toList();
            return new PoolCandidates(source, form, plans);
        }

        private void check(List<PoolPreference.Item> items) {
            if (items.isEmpty()) {
                throw wrong("value requires at least one item");
            }
            long unnamed = items.stream().filter(item -> item.nic().isEmpty()).count();
            if (unnamed == items.size()) {
                return;
            }
            if (unnamed > 0) {
                throw wrong("NIC should be either all specified or all unspecified");
            }
            var names = new TreeSet<String>();
            for (var item : items) {
                if (!names.add(item.nic())) {
                    throw wrong("duplicate interface " + item.nic());
                }
            }
            if (!names.contains(request.nic())) {
                throw wrong("interface %s must be specified".formatted(request.nic()));
            }
        }

        private static PoolRefusedException wrong(String detail) {
            return new PoolRefusedException(new PoolRefusal.WrongNics(detail));
        }

        /// For pods for which no pool is named. Disabled pools are included, to be passed over with a
        /// reason.
        private PoolCandidates ofDefaults() {
            var defaults =
                    view.allPools().stream().filter(AddressPool::isDefault).toList();
            if (defaults.isEmpty()) {
                throw new PoolRefusedException(new PoolRefusal.NoRules());
            }
            var names = new PoolNames(names(defaults, Family.IPV4), names(defaults, Family.IPV6));
            return of("the cluster's default", new PoolPreference.Single(names));
        }

        private static List<String> names(List<AddressPool> pools, Family family) {
            return pools.stream()
                    .filter(pool -> pool.family() == family)
                    .map(AddressPool::name)
                    .toList();
        }

        private Plan plan(String source, String label, String nic, GatewayUse gatewayUse, PoolNames names) {
            var pools = new TreeMap<Family, List<String>>();
            for (var family : request.settings().families()) {
                var expanded = expanded(family, names.of(family));
                if (!expanded.isEmpty()) {
                    pools.put(family, withoutTwins(label, expanded));
                }
            }
            if (pools.isEmpty()) {
                throw new PoolRefusedException(new PoolRefusal.NothingNamed(source, label));
            }
            return new Plan(label, nic, gatewayUse, pools);
        }

        /// The names with patterns replaced by the names that they fit, in the order of names.
        private List<String> expanded(Family family, List<String> names) {
            var expanded = new ArrayList<String>();
            for (var name : names) {
                if (Glob.isPattern(name)) {
                    expanded.addAll(matching(family, name));
                } else {
                    expanded.add(name);
                }
            }
            return expanded;
        }

        private List<String> matching(Family family, String pattern) {
            try {
                var glob = Glob.parse(pattern);
                return names(view.allPools(), family).stream()
                        .filter(glob::matches)
                        .toList();
            } catch (Glob.MalformedException _) {
                throw new PoolRefusedException(new PoolRefusal.MalformedPattern(family, pattern));
            }
        }

        private static List<String> withoutTwins(String label, List<String> names) {
            var seen = new LinkedHashSet<String>();
            for (var name : names) {
                if (!seen.add(name)) {
                    throw new PoolRefusedException(new PoolRefusal.DuplicatePool(name, label));
                }
            }
            return List.copyOf(seen);
        }
    }
}
