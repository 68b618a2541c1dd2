package io.cadastre.verification.simulation.nodeipam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.cadastre.controller.nodecidr.NodeWriter;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Write;
import io.cadastre.verification.simulation.runtime.SimulationFailure;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// A simulator that finds nothing proves nothing: each planted bug must be found. Those within the control loop are in
/// `verification/mutants`.
class PlantedNodeIpamBugsTest {

    private static final int SEEDS_MAX = 1000;

    @Test
    void lostAnswerTakenForARefusalIsFound() {
        assertFound(LosingWriter::new);
    }

    @Test
    void refusalTakenForSuccessIsFound() {
        assertFound(HopefulWriter::new);
    }

    @Test
    void termThatIsCheckedBeforeTheWaitForAPermitIsFound() {
        assertFound(EarlyWriter::new);
    }

    private static void assertFound(UnaryOperator<NodeWriter> buggy) {
        var failure = firstFailure(buggy);

        assertThat(failure)
                .hasMessageContaining(
                        "replay: ./cadastre simulate --seed %d --dialect node-ipam".formatted(failure.seed()));
        assertThat(NodeIpamSimulation.run(failure.seed()).seed()).isEqualTo(failure.seed());
    }

    private static SimulationFailure firstFailure(UnaryOperator<NodeWriter> buggy) {
        for (long seed = 1; seed <= SEEDS_MAX; seed++) {
            try {
                NodeIpamSimulation.run(seed, buggy);
            } catch (SimulationFailure failure) {
                return failure;
            }
        }
        return fail("not found in %d seeds", SEEDS_MAX);
    }

    /// Says that what was not answered was not done.
    private record LosingWriter(NodeWriter writer) implements NodeWriter {

        @Override
        public Commit patch(String node, Bytes changes, Runnable beforeSending) {
            var commit = writer.patch(node, changes, beforeSending);
            if (commit instanceof Commit.Unknown(var reason)) {
                throw new DatastoreException(DatastoreException.Kind.FAILED, reason);
            }
            return commit;
        }

        @Override
        public Commit patchStatus(String node, Bytes changes, Runnable beforeSending) {
            return writer.patchStatus(node, changes, beforeSending);
        }

        @Override
        public Commit writeEvent(Write write) {
            return writer.writeEvent(write);
        }

        @Override
        public Optional<String> findCidrManager(String node) {
            return writer.findCidrManager(node);
        }
    }

    /// Checks whether a patch may be sent before it waits for its turn.
    private record EarlyWriter(NodeWriter writer) implements NodeWriter {

        @Override
        public Commit patch(String node, Bytes changes, Runnable beforeSending) {
            beforeSending.run();
            return writer.patch(node, changes, () -> {});
        }

        @Override
        public Commit patchStatus(String node, Bytes changes, Runnable beforeSending) {
            return writer.patchStatus(node, changes, beforeSending);
        }

        @Override
        public Commit writeEvent(Write write) {
            return writer.writeEvent(write);
        }

        @Override
        public Optional<String> findCidrManager(String node) {
            return writer.findCidrManager(node);
        }
    }

    /// Says that what was refused was done.
    private record HopefulWriter(NodeWriter writer) implements NodeWriter {

        @Override
        public Commit patch(String node, Bytes changes, Runnable beforeSending) {
            try {
                return writer.patch(node, changes, beforeSending);
            } catch (DatastoreException refused) {
                return new Commit.Done(List.of(1L));
            }
        }

        @Override
        public Commit patchStatus(String node, Bytes changes, Runnable beforeSending) {
            return writer.patchStatus(node, changes, beforeSending);
        }

        @Override
        public Commit writeEvent(Write write) {
            return writer.writeEvent(write);
        }

        @Override
        public Optional<String> findCidrManager(String node) {
            return writer.findCidrManager(node);
        }
    }
}
