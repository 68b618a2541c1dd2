package io.cadastre.engine.demand;

import io.cadastre.address.Family;
import io.cadastre.engine.Because;
import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Chooses the pool that a pod draws an address from: what its annotations name, then those of its namespace, then the
/// one pool whose selectors match, then the default.
///
/// A pool that is named need not exist: the pod waits for it. Annotations count when the address is drawn.
public final class PoolChoice {

    private static final String PREFIX = "ipam.cilium.io/";
    private static final String ANY_FAMILY = PREFIX + "ip-pool";
    private static final String MATCH_REQUIRED = PREFIX + "require-pool-match";

    private static final String NAMESPACE_LABEL = "io.kubernetes.pod.namespace";
    private static final String NAME_LABEL = "io.kubernetes.pod.name";

    private static final int NAME_LENGTH_MAX = 253;
    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*+");

    private PoolChoice() {}

    /// What the choice came to.
    public sealed interface Choice {

        record Chosen(String pool) implements Choice {}

        /// The pod gets no address.
        record Refused(ChoiceFault fault) implements Choice {}
    }

    /// Why a pod gets no address, in the words of upstream.
    public sealed interface ChoiceFault {

        default String sentence() {
            return switch (this) {
                case NotSynced() -> "ipam-metadata-manager has not synced all pod IP pools yet";
                case NotFound(var kind, var name) -> "resource %s \"%s\" not found".formatted(kind, name);
                case Several(var owner, var family, var pools) ->
                    "multiple CiliumPodIPPools match pod %s (family=%s): [%s]"
                            .formatted(owner, word(family), String.join(" ", pools));
                case NoMatch(var owner, var family, var where) ->
                    "no matching CiliumPodIPPool found for pod %s (family=%s) and require-pool-match annotation is set on %s"
                            .formatted(owner, word(family), where);
            };
        }

        record NotSynced() implements ChoiceFault {}

        record NotFound(String kind, String name) implements ChoiceFault {}

        record Several(String owner, Family family, List<String> pools) implements ChoiceFault {
            public Several {
                pools = List.copyOf(pools);
            }
        }

        /// A pool must match, and none does.
        ///
        /// @param where what carries the annotation: the pod or the namespace
        record NoMatch(String owner, Family family, String where) implements ChoiceFault {}
    }

    /// Why a pool was chosen.
    public sealed interface ChoiceReason extends Because {

        @Override
        default String sentence() {
            return switch (this) {
                case NotAPod(var owner, var pool) -> "'%s' is not a pod: pool %s is the default".formatted(owner, pool);
                case Annotated(var where, var annotation, var pool) ->
                    "the annotation %s of the %s names pool %s".formatted(annotation, where, pool);
                case Selected(var pool) -> "the selectors of pool %s match, and of no other pool".formatted(pool);
                case Default(var pool) -> "no pool matches: pool %s is the default".formatted(pool);
            };
        }

        record NotAPod(String owner, String pool) implements ChoiceReason {}

        record Annotated(String where, String annotation, String pool) implements ChoiceReason {}

        record Selected(String pool) implements ChoiceReason {}

        record Default(String pool) implements ChoiceReason {}
    }

    private static String word(Family family) {
        return family.toString().toLowerCase(Locale.ROOT);
    }

    /// Chooses the pool of one family.
    ///
    /// @param owner a pod as NAMESPACE/NAME, or a use of the node itself
    public static Decision<Change, Choice> choose(PoolChoiceView view, String owner, Family family) {
        if (!view.synced()) {
            return refused(new ChoiceFault.NotSynced());
        }
        int slash = owner.indexOf('/');
        if (slash < 0 || !isPod(owner.substring(0, slash), owner.substring(slash + 1))) {
            return chosen(view.defaultPool(), new ChoiceReason.NotAPod(owner, view.defaultPool()));
        }
        var namespaceName = owner.substring(0, slash);
        var pod = Optional.ofNullable(view.pods().get(owner));
        if (pod.isEmpty()) {
            return refused(new ChoiceFault.NotFound("Pod", owner));
        }
        var ofPod = annotated("pod", pod.get(), family);
        if (ofPod.isPresent()) {
            return chosen(ofPod.get().pool(), ofPod.get());
        }
        var namespace = Optional.ofNullable(view.namespaces().get(namespaceName));
        if (namespace.isEmpty()) {
            return refused(new ChoiceFault.NotFound("Namespace", namespaceName));
        }
        var ofNamespace = annotated("namespace", namespace.get(), family);
        if (ofNamespace.isPresent()) {
            return chosen(ofNamespace.get().pool(), ofNamespace.get());
        }
        return bySelectors(view, owner, family, pod.get(), namespace.get());
    }

    private static boolean isPod(String namespace, String name) {
        return NAMESPACE.matcher(namespace).matches()
                && name.length() <= NAME_LENGTH_MAX
                && NAME.matcher(name).matches();
    }

    /// The annotation of the family, or else the one of both.
    private static Optional<ChoiceReason.Annotated> annotated(String where, LabeledObject object, Family family) {
        for (var annotation : List.of(PREFIX + word(family) + "-pool", ANY_FAMILY)) {
            var pool = object.annotations().getOrDefault(annotation, "");
            if (!pool.isEmpty()) {
                return Optional.of(new ChoiceReason.Annotated(where, annotation, pool));
            }
        }
        return Optional.empty();
    }

    private static Decision<Change, Choice> bySelectors(
            PoolChoiceView view, String owner, Family family, LabeledObject pod, LabeledObject namespace) {
        var labels = new TreeMap<>(pod.labels());
        labels.put(NAMESPACE_LABEL, owner.substring(0, owner.indexOf('/')));
        labels.put(NAME_LABEL, owner.substring(owner.indexOf('/') + 1));
        var matching = view.pools().stream()
                .filter(SelectingPool::selects)
                .filter(pool -> pool.families().contains(family))
                .filter(pool -> pool.podSelectors().stream().allMatch(selector -> selector.matches(labels)))
                .filter(pool ->
                        pool.namespaceSelectors().stream().allMatch(selector -> selector.matches(namespace.labels())))
                .map(SelectingPool::name)
                .toList();
        if (matching.size() > 1) {
            return refused(new ChoiceFault.Several(owner, family, matching));
        }
        if (matching.size() == 1) {
            return chosen(matching.getFirst(), new ChoiceReason.Selected(matching.getFirst()));
        }
        if (requiresMatch(pod) || requiresMatch(namespace)) {
            return refused(new ChoiceFault.NoMatch(owner, family, requiresMatch(pod) ? "pod" : "namespace"));
        }
        return chosen(view.defaultPool(), new ChoiceReason.Default(view.defaultPool()));
    }

    private static boolean requiresMatch(LabeledObject object) {
        return object.annotations().getOrDefault(MATCH_REQUIRED, "").equals("true");
    }

    private static Decision<Change, Choice> chosen(String pool, Because because) {
        return new Decision<>(new Choice.Chosen(pool), List.of(), List.of(because));
    }

    private static Decision<Change, Choice> refused(ChoiceFault fault) {
        return new Decision<>(new Choice.Refused(fault), List.of(), List.of());
    }
}
