package io.cadastre.verification.simulation.block;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.selector.SelectorText;
import io.cadastre.verification.simulation.block.BlockWitness.Question;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// By which rules addresses are given. Rules are read and not written, so what was given must be right by
/// those of some instant between the question and its answer.
record BlockRules(BlockHistory past, BlockPlan plan) {

    private static final Pattern POOLS_WITHOUT_ADDRESS = Pattern.compile("No IPs available in pools: \\[(.*)]");

    private static final Pattern SPACE = Pattern.compile(" ");

    void requireSometime(Question question, Predicate<BlockState> truth, String claim) {
        require(question, past.sometime(question.since(), truth), claim);
    }

    void requireRule(Question question, Predicate<BlockState> truth, String claim) {
        require(question, past.sometime(question.rulesSince(), truth), claim);
    }

    static void require(Question question, boolean truth, String claim) {
        if (!truth) {
            throw new AssertionError("'%s': %s, and that was never so".formatted(question.handle(), claim));
        }
    }

    void requireLawful(Question question, String host, Address address) {
        requireRule(
                question,
                scene -> enabledPool(scene.view(), address),
                "it was given %s of an enabled pool".formatted(address));
        boolean lent = past.sometime(
                        question.rulesSince(), scene -> !scene.view().config().strictAffinity())
                || past.sometime(question.since(), scene -> scene.lends(address, Owner.host(host)))
                || givenUpUnrecorded(question, address);
        if (!lent) {
            throw new AssertionError("%s: %s was borrowed although affinity was strict all the time"
                    .formatted(question.handle(), address));
        }
    }

    /// A block may be claimed and given up by two requests of one commit. If the answer to that commit was
    /// lost, the ledger does not have it, and the owner of the block in between is not known.
    private boolean givenUpUnrecorded(Question question, Address address) {
        return IntStream.rangeClosed(question.since() + 1, past.latest())
                .filter(number -> past.at(number).withoutOwner(address))
                .anyMatch(number -> past.passing(number).isEmpty());
    }

    /// A request without a certain address gets nothing reserved and nothing of a pool that is not for its
    /// node.
    void requireSelected(Question question, AssignRequest request, Address address) {
        requireRule(question, scene -> !scene.view().reservations().contains(address), address + " was not reserved");
        requireUse(question, request.use(), address);
        var view = past.now().view();
        var labels = view.findNode(request.host()).orElseThrow().labels();
        boolean selected = view.pools().stream()
                .filter(pool -> pool.cidr().contains(address))
                .allMatch(pool -> pool.nodeSelector() instanceof SelectorText.Parsed(var _, var selector)
                        && selector.matches(labels));
        if (!selected) {
            throw new AssertionError("%s got %s of a pool that is not for it".formatted(request.host(), address));
        }
    }

    /// The uses of a pool never change.
    void requireUse(Question question, AddressUse use, Address address) {
        boolean meant = plan.pools().stream()
                .filter(pool -> pool.cidr().contains(address))
                .allMatch(pool -> pool.uses().contains(use));
        require(question, meant, "%s is for use %s".formatted(address, use));
    }

    /// What other requests of the same commit took before is taken in what this one was decided on. Others
    /// may have given back some between what was read and the commit, so that nothing was left in no state of
    /// the store.
    void requireExhausted(Question question, AssignRequest request, Assignment assignment, String message) {
        var matcher = POOLS_WITHOUT_ADDRESS.matcher(message);
        if (matcher.find()) {
            var along = past.takenBefore(question.since(), BlockClient.words(request), assignment);
            for (var pool : SPACE.splitAsStream(matcher.group(1)).toList()) {
                var cidr = Prefix.parse(pool);
                requireSometime(
                        question,
                        scene -> cidr.range()
                                .addresses()
                                .allMatch(address -> scene.taken(address)
                                        || along.contains(address)
                                        || scene.view().reservations().contains(address)),
                        "nothing is left in " + cidr);
            }
        }
    }

    private static boolean enabledPool(BlockView view, Address address) {
        return view.pools().stream()
                .anyMatch(pool -> pool.enabled() && pool.cidr().contains(address));
    }
}
