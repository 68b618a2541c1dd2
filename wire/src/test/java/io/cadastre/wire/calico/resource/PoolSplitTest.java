package io.cadastre.wire.calico.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Decision;
import io.cadastre.engine.NotReadException;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Page;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.resource.PoolSplit.Outcome;
import io.cadastre.wire.calico.resource.PoolSplit.Part;
import io.cadastre.wire.calico.resource.PoolSplit.Wanted;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class PoolSplitTest {

    private final MemoryDatastore store = new MemoryDatastore();
    private final ResourceBook book = new ResourceBook(store);

    /// The one of the last decision, which knows what was read for it.
    private Page<ResourceView, DocumentChange> decidedOn = book.open();

    @Test
    void partsTakeThePlaceOfThePoolInOneDecision() {
        create(CalicoKeys.POOLS + "p", pool("10.0.0.0/24", 26));
        lock();

        var decision = split(new Wanted("p", "", 2));
        decidedOn.with(decision.changes()).save();

        assertThat(decision.outcome())
                .isEqualTo(new Outcome.Done(
                        "p",
                        List.of(
                                new Part("split-p-0", Prefix.parse("10.0.0.0/25")),
                                new Part("split-p-1", Prefix.parse("10.0.0.128/25")))));
        assertThat(store.listAll(CalicoKeys.POOLS).documents())
                .extracting(document -> document.key().substring(CalicoKeys.POOLS.length()))
                .containsExactly("split-p-0", "split-p-1");
    }

    @Test
    void poolIsFoundByItsCidr() {
        create(CalicoKeys.POOLS + "p", pool("10.0.0.0/24", 26));
        lock();

        assertThat(split(new Wanted("", "10.0.0.0/24", 4)).outcome()).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void numberThatIsNotAPowerOfTwoIsRefusedBeforeAnythingIsWritten() {
        create(CalicoKeys.POOLS + "p", pool("10.0.0.0/24", 26));
        lock();

        for (int number : new int[] {-2, 0, 1, 3}) {
            assertThat(refusal(new Wanted("p", "", number)))
                    .isEqualTo(
                            "error splitting the CIDR 10.0.0.0/24 into %d CIDRs: number to split CIDR into is not a valid power of 2: %d"
                                    .formatted(number, number));
        }
    }

    @Test
    void morePartsThanAddressesAreRefused() {
        create(CalicoKeys.POOLS + "p", pool("10.0.0.0/24", 26));
        lock();

        assertThat(refusal(new Wanted("p", "", 512)))
                .isEqualTo("error splitting the CIDR 10.0.0.0/24 into 512 CIDRs: the CIDR 10.0.0.0/24"
                        + " is not large enough to be split into 512 parts");
    }

    @Test
    void partsSmallerThanABlockAreRefused() {
        create(CalicoKeys.POOLS + "p", pool("10.0.0.0/24", 26));
        lock();

        assertThat(refusal(new Wanted("p", "", 8))).contains("IP pool size is too small");
    }

    @Test
    void storeThatIsNotLockedIsRefused() {
        create(CalicoKeys.POOLS + "p", pool("10.0.0.0/24", 26));

        assertThat(refusal(new Wanted("p", "", 2)))
                .isEqualTo("datastore is not locked. Run the `calicoctl datastore migrate lock`"
                        + " command in order split the IP pools");
    }

    @Test
    void unknownPoolAndNoPoolAreRefused() {
        lock();

        assertThat(refusal(new Wanted("p", "10.0.0.0/24", 2)))
                .isEqualTo("unable to find IP pool p covering the specified CIDR 10.0.0.0/24");
        assertThat(refusal(new Wanted("p", "", 2)))
                .isEqualTo("unable to find IP pool with name p: resource does not exist: IPPool(p)"
                        + " with error: <nil>");
        assertThat(refusal(new Wanted("", "", 2)))
                .isEqualTo("no name or CIDR provided. Provide a name or CIDR to denote the IP pool to" + " split");
    }

    @Test
    void moreThanOneCommitOfPartsAreMadeByOneCall() {
        create(CalicoKeys.POOLS + "p", pool("10.0.0.0/16", 26));
        lock();

        var outcome = enact(new Wanted("p", "", 256));

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Done.class, done -> assertThat(done.parts()).hasSize(256));
        assertThat(poolNames())
                .hasSize(256)
                .allMatch(name -> name.startsWith("split-p-"))
                .contains("split-p-0", "split-p-255");
    }

    @Test
    void splitThatWasInterruptedIsFinishedByAskingAgain() {
        create(CalicoKeys.POOLS + "p", pool("10.0.0.0/24", 26));
        create(CalicoKeys.POOLS + "split-p-1", pool("10.0.0.128/25", 26));
        lock();

        var outcome = enact(new Wanted("p", "", 2));

        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        assertThat(poolNames()).containsExactly("split-p-0", "split-p-1");
    }

    @Test
    void poolOfAnotherThatHasTheNameOfAPartIsNotTakenForIt() {
        create(CalicoKeys.POOLS + "p", pool("10.0.0.0/24", 26));
        create(CalicoKeys.POOLS + "split-p-1", pool("10.9.0.0/25", 26));
        lock();

        assertThat(enact(new Wanted("p", "", 2)))
                .isEqualTo(new Outcome.Refused("resource already exists: IPPool(split-p-1)"));
        assertThat(poolNames()).containsExactly("p", "split-p-1");
    }

    private Outcome enact(Wanted wanted) {
        var now = Instant.parse("2026-01-31T12:00:00Z");
        var registrar = new Registrar<>(
                book,
                new Ledger(new MemoryJournal()),
                Registrar.Limits.DEFAULT,
                InstantSource.fixed(now),
                new SplittableRandom(1),
                _ -> {});
        return registrar.enact(new Request<ResourceView, DocumentChange, Outcome>(
                "split", view -> PoolSplit.of(view, wanted, () -> new UUID(1, 2), now)));
    }

    private List<String> poolNames() {
        return store.listAll(CalicoKeys.POOLS).documents().stream()
                .map(document -> document.key().substring(CalicoKeys.POOLS.length()))
                .toList();
    }

    private static String pool(String cidr, int blockSize) {
        return "{\"kind\":\"IPPool\",\"spec\":{\"cidr\":\"%s\",\"blockSize\":%d}}".formatted(cidr, blockSize);
    }

    private void lock() {
        create(
                new CalicoKey.OfClusterInformation().text(),
                "{\"kind\":\"ClusterInformation\",\"spec\":{\"datastoreReady\":false}}");
    }

    private void create(String key, String value) {
        store.commit(List.of(new Write.Create(key, Bytes.ofUtf8(value))));
    }

    private String refusal(Wanted wanted) {
        var decision = split(wanted);
        assertThat(decision.changes()).isEmpty();
        assertThat(decision.outcome()).isInstanceOf(Outcome.Refused.class);
        return ((Outcome.Refused) decision.outcome()).sentence();
    }

    private Decision<DocumentChange, Outcome> split(Wanted wanted) {
        var page = book.open();
        for (int reading = 1; reading <= 20; reading++) {
            try {
                decidedOn = page;
                return PoolSplit.of(page.view(), wanted, () -> new UUID(1, 2), Instant.parse("2026-01-31T12:00:00Z"));
            } catch (NotReadException notRead) {
                page = page.reading(notRead.missing());
            }
        }
        throw new AssertionError("it reads on and on");
    }
}
