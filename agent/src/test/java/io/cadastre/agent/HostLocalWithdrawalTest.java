package io.cadastre.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.agent.hostlocal.HostLocal;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.Namespaces.Relation;
import io.cadastre.wire.cni.StdinSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostLocalWithdrawalTest {

    @TempDir
    Path dataDir;

    @Test
    void addressesOfAnAnswerThatDidNotArriveAreTakenBackAndNoOthers() throws IOException {
        var config = """
            {"cniVersion": "1.0.0", "name": "net", "ipam": {"type": "host-local", "dataDir": "%s",
             "ranges": [[{"subnet": "10.1.2.0/24"}], [{"subnet": "2001:db8::/64"}]]}}
            """.formatted(dataDir);
        var call = Caller.call("host-local", CniVerb.ADD, "pod", config);
        var network = Files.createDirectories(dataDir.resolve("net"));
        var earlier = Files.writeString(network.resolve("10.7.7.7"), "pod\r\neth0");
        var withdrawal = new Withdrawal();

        var answer = new HostLocal(
                        Duration.ofSeconds(60),
                        new Ledger(new MemoryJournal()),
                        InstantSource.fixed(Instant.EPOCH),
                        AgentHome.of("a"))
                .forCall(withdrawal)
                .answer(call.environment(), StdinSource.of(call.stdin()), _ -> Relation.OTHER);
        boolean given = Files.exists(network.resolve("10.1.2.2"));
        withdrawal.carryOut();

        assertThat(answer.exitCode()).isZero();
        assertThat(given).isTrue();
        assertThat(network.resolve("10.1.2.2")).doesNotExist();
        assertThat(network.resolve("2001:db8::2")).doesNotExist();
        assertThat(earlier).exists();
    }
}
