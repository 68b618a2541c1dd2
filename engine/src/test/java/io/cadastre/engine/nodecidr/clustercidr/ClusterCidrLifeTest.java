package io.cadastre.engine.nodecidr.clustercidr;

import static io.cadastre.engine.nodecidr.clustercidr.ClusterCidrCluster.aCatchAll;
import static io.cadastre.engine.nodecidr.clustercidr.ClusterCidrCluster.aClusterCidr;
import static io.cadastre.engine.nodecidr.clustercidr.ClusterCidrCluster.aNode;
import static io.cadastre.engine.nodecidr.clustercidr.ClusterCidrCluster.labelled;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.AddFinalizer;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.AwaitFinalizer;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.NoteFinalizer;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.Register;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.RemoveFinalizer;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.Terminate;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.Unregister;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.FinalizerAwaited;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.Modified;
import io.cadastre.engine.nodecidr.clustercidr.NodeBlocks.NotAvailable;
import io.cadastre.engine.nodecidr.clustercidr.Registration.Registered;
import io.cadastre.engine.nodecidr.clustercidr.Registration.Unusable;
import io.cadastre.engine.nodecidr.clustercidr.Retirement.InUse;
import io.cadastre.engine.nodecidr.clustercidr.Retirement.Retired;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClusterCidrLifeTest {

    private final ClusterCidrCluster cluster = new ClusterCidrCluster();
    private final ClusterCidr all = aCatchAll("all", 8, "10.0.0.0/22", "");

    /// As the API server shows it once its deletion began.
    private static ClusterCidr deleted(ClusterCidr clusterCidr) {
        return clusterCidr.withFinalizer(true).withTermination();
    }

    @Test
    void theFinalizerIsWrittenBeforeTheFirstBlockIsGiven() {
        var decision = cluster.register(all);

        assertThat(decision.changes()).containsExactly(new AddFinalizer("all"), new Register(all.withFinalizer(true)));
        assertThat(decision.outcome()).isEqualTo(new Registered("all"));
    }

    @Test
    void oneThatIsFoundWithoutFinalizerAtTheStartGivesNothingBeforeItIsSeenWithIt() {
        var started = cluster.start(List.of(all), aNode(NodeEntry.of("n", List.of("10.0.0.0/24"))));
        var awaited = cluster.assign(aNode("other"));
        var seen = cluster.register(all.withFinalizer(true));

        assertThat(started.changes()).contains(new AwaitFinalizer("all"));
        assertThat(cluster.clusterCidrOf("n")).isEqualTo("all");
        assertThat(awaited.outcome()).isEqualTo(new NodeBlocks.Awaiting("other", "all"));
        assertThat(awaited.because()).containsExactly(new FinalizerAwaited("all"));
        assertThat(seen.changes()).containsExactly(new NoteFinalizer("all"));
        assertThat(cluster.given(aNode("other"))).containsExactly("10.0.1.0/24");
    }

    @Test
    void registeringAgainChangesNothing() {
        cluster.register(all);

        assertThat(cluster.register(all.withFinalizer(true)).changes()).isEmpty();
        assertThat(cluster.register(all).changes()).containsExactly(new AddFinalizer("all"));
        assertThat(cluster.view().entries()).hasSize(1);
    }

    @Test
    @DisplayName("NC-43: a ClusterCIDR in use stays until its last node is gone, and gives nothing more")
    void aClusterCidrInUseStays() {
        cluster.register(all);
        cluster.given(aNode("n"));

        var refused = cluster.retire(deleted(all));
        var skipped = cluster.assign(aNode("other")).outcome();
        var freed = cluster.release("n").outcome();
        var retired = cluster.retire(deleted(all));

        assertThat(refused.outcome()).isEqualTo(new InUse("all", 1));
        assertThat(refused.changes()).containsExactly(new Terminate("all"));
        assertThat(new InUse("all", 1).sentence())
                .isEqualTo("ClusterCIDRSet all marked as terminating, won't be deleted until all associated nodes are"
                        + " deleted");
        assertThat(skipped).isEqualTo(new NotAvailable("other"));
        assertThat(freed.clusterCidr()).isEqualTo("all");
        assertThat(retired.changes()).containsExactly(new RemoveFinalizer("all"), new Unregister("all"));
        assertThat(retired.outcome()).isEqualTo(new Retired("all"));
        assertThat(cluster.view().entries()).isEmpty();
    }

    @Test
    void aReservationKeepsItsClusterCidr() {
        cluster.register(all);
        var reservation = cluster.reserved(aNode("n"));

        assertThat(cluster.retire(deleted(all)).outcome()).isEqualTo(new InUse("all", 1));
        cluster.giveBack(reservation);
        assertThat(cluster.retire(deleted(all)).outcome()).isEqualTo(new Retired("all"));
    }

    @Test
    @DisplayName("NC-44: a relabelled node gives its blocks back, and its ClusterCIDR can be deleted")
    void releaseFollowsTheAssociation() {
        var pool = aClusterCidr("pool", 8, "10.0.0.0/22", "", labelled("p=a"));
        cluster.register(pool);
        cluster.given(aNode("n", "p=a"));

        var relabelled = cluster.occupy(aNode(NodeEntry.of("n", List.of("10.0.0.0/24")), "p=b"));
        var waiting = cluster.retire(deleted(pool)).outcome();
        cluster.release("n");

        assertThat(relabelled.changes()).isEmpty();
        assertThat(waiting).isEqualTo(new InUse("pool", 1));
        assertThat(cluster.used("pool")).containsExactly(0);
        assertThat(cluster.retire(deleted(pool)).outcome()).isEqualTo(new Retired("pool"));
    }

    @Test
    void aNodeWithoutAssociationKeepsTheClusterCidrWhoseAddressesItHas() {
        var pool = aClusterCidr("pool", 8, "10.0.0.0/22", "", labelled("p=a"));
        cluster.start(
                List.of(pool.withFinalizer(true)),
                aNode(NodeEntry.of("n", List.of("10.0.0.0/24")), "p=changed-while-the-controller-was-down"));

        assertThat(cluster.retire(deleted(pool)).outcome()).isEqualTo(new InUse("pool", 1));
        cluster.release("n");
        assertThat(cluster.retire(deleted(pool)).outcome()).isEqualTo(new Retired("pool"));
    }

    @Test
    void aFinalizerThatWasNotRemovedIsRemovedAtTheNextLook() {
        var decision = cluster.retire(deleted(all));

        assertThat(decision.changes()).containsExactly(new RemoveFinalizer("all"));
        assertThat(cluster.retire(all.withTermination()).changes()).isEmpty();
    }

    @Test
    void addressesOfAClusterCidrThatVanishedStayWithTheirNodes() {
        cluster.register(all);
        cluster.given(aNode("n"));

        cluster.forget("all");
        cluster.register(aCatchAll("new", 4, "10.0.0.0/16", ""));

        assertThat(cluster.clusterCidrOf("n")).isEmpty();
        assertThat(cluster.given(aNode("other"))).containsExactly("10.0.1.0/28");
        assertThat(cluster.forget("all").changes()).isEmpty();
    }

    @Test
    void aConfirmedReservationOfAClusterCidrThatVanishedIsHeldWithoutIt() {
        cluster.register(all);
        var reservation = cluster.reserved(aNode("n"));
        cluster.forget("all");

        cluster.confirm(reservation);

        assertThat(cluster.clusterCidrOf("n")).isEmpty();
        cluster.register(all);
        assertThat(cluster.used("all")).containsExactly(1);
    }

    @Test
    void anotherClusterCidrOfTheNameTakesThePlace() {
        cluster.register(all.withUid("old"));
        cluster.given(aNode("n"));
        var other = aCatchAll("all", 8, "10.9.0.0/16", "").withUid("new");

        cluster.register(other);

        assertThat(cluster.clusterCidrOf("n")).isEmpty();
        assertThat(cluster.given(aNode("other"))).containsExactly("10.9.0.0/24");
    }

    @Test
    void oneThatWasModifiedBeforeTheStartGivesNothing() {
        var decision = cluster.start(List.of(all.withGeneration(2)));

        assertThat(decision.because()).contains(new Modified("all"));
        assertThat(new Modified("all").sentence())
                .isEqualTo("CIDRs from ClusterCIDR all will not be used for allocation as it was modified");
        assertThat(cluster.assign(aNode("n")).outcome()).isEqualTo(new NotAvailable("n"));
    }

    @Test
    void oneThatIsModifiedLaterKeepsItsRangeAndGivesNothingMore() {
        cluster.register(all);

        var decision = cluster.register(
                aCatchAll("all", 8, "10.7.0.0/16", "").withFinalizer(true).withGeneration(2));

        assertThat(decision.changes()).containsExactly(new Terminate("all"));
        assertThat(cluster.view().entries().getFirst().clusterCidr().spec()).isEqualTo(all.spec());
    }

    @Test
    void oneWithTooManyBlocksIsReportedInTheWordsOfTheReference() {
        var wide = aCatchAll("wide", 8, "", "fd00:10:96::/48");

        var decision = cluster.start(List.of(wide, all.withFinalizer(true)));

        assertThat(decision.outcome().unusable())
                .containsExactly(new Unusable(
                        "wide",
                        "invalid ClusterCIDR: unable to create IPv6 cidrSet: Creation of New CIDR Set failed for"
                                + " fd00:10:96::/48. PerNodeMaskSize 120 is too big for CIDR Mask 48, Maximum"
                                + " difference allowed is 16"));
        assertThat(cluster.view().entries()).extracting(ClusterCidrEntry::name).containsExactly("all");
    }

    @Test
    void whatNoApiServerShouldHaveStoredIsReported() {
        assertThat(fault(8, "", "")).isEqualTo("invalid ClusterCIDR: must provide IPv4 and/or IPv6 config");
        assertThat(fault(8, "bogus", ""))
                .isEqualTo("invalid ClusterCIDR: unable to parse provided IPv4 CIDR: invalid CIDR address: bogus");
        assertThat(fault(8, "fd00::/112", "")).contains("unable to parse provided IPv4 CIDR");
        assertThat(fault(8, "", "::ffff:10.0.0.0/104")).contains("unable to parse provided IPv6 CIDR");
        assertThat(fault(9, "10.0.0.0/24", "")).contains("perNodeHostBits is from 0 to 8");
        assertThat(fault(-1, "10.0.0.0/24", "")).contains("perNodeHostBits is from 0 to 8");
        assertThat(fault(4, "10.0.0.0/3", "")).contains("more than 2^24");
        assertThat(fault(0, "10.0.0.0/24", "")).isEmpty();
    }

    private String fault(int hostBits, String ipv4, String ipv6) {
        return cluster.register(aCatchAll("odd", hostBits, ipv4, ipv6)).outcome() instanceof Unusable unusable
                ? unusable.fault()
                : "";
    }

    @Test
    void aSelectorThatCannotBeComparedIsReported() {
        var selector = new NodeSelector.Terms(
                List.of(new NodeSelector.Term(List.of(new SelectorRequirement("k", "Near", List.of("v"))), List.of())));

        var decision = cluster.register(aClusterCidr("odd", 8, "10.0.0.0/16", "", selector));

        assertThat(decision.outcome())
                .isEqualTo(new Unusable(
                        "odd",
                        "unable to get labelSelector key: spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0]"
                                + ".operator: Invalid value: \"Near\": not a valid selector operator"));
    }

    @Test
    void theDefaultIsNotCreatedTwice() {
        var config = new NodeCidrConfig(List.of(new Subdivision(Prefix.parse("192.168.0.0/16"), 24)), List.of());
        var existing = aCatchAll(ClusterCidr.DEFAULT_NAME, 4, "10.0.0.0/16", "");

        var decision = ClusterCidrEngine.createDefault(List.of(existing), config);

        assertThat(decision.changes()).isEmpty();
        assertThat(decision.outcome()).isEqualTo(new Registered(ClusterCidr.DEFAULT_NAME));
    }
}
