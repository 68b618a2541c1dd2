package io.cadastre.agent.net;

import io.cadastre.registry.Pause;
import io.cadastre.wire.cni.CalicoNetConfig;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/// What must be known or ready before a call is served.
final class AddPreconditions {

    private static final String HOSTNAME_FILE = "/proc/sys/kernel/hostname";

    private static final Duration BETWEEN_PROBES = Duration.ofSeconds(5);
    private static final int PROBES_MAX = 6;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
    private static final int LOOKS_PER_SECOND = 10;

    private final Host host;
    private final Pause pause;

    AddPreconditions(Host host, Pause pause) {
        this.host = host;
        this.pause = pause;
    }

    /// The name of the node.
    ///
    /// @throws CniException if the file with it should be there and is not
    String node(CalicoNetConfig.NodeName wanted) {
        var file = find(wanted.file(), "");
        if (file.isEmpty() && !wanted.fileOptional()) {
            throw new CniException(
                    CniCode.INTERNAL,
                    ("stat %s: no such file or directory: check that the calico/node container is"
                                    + " running and has mounted /var/lib/calico/")
                            .formatted(wanted.file()));
        }
        if (!wanted.name().isEmpty()) {
            return wanted.name();
        }
        return file.map(String::strip)
                .filter(name -> !name.isEmpty())
                .or(() -> Optional.of(wanted.hostname()).filter(name -> !name.isEmpty()))
                .or(() -> find(HOSTNAME_FILE, "").map(name -> name.strip().toLowerCase(Locale.ROOT)))
                .orElse("");
    }

    /// The size of packets, zero for the kernel's default.
    ///
    /// @throws CniException if there is a file with it that cannot be read, whether it counts or not
    int mtu(CalicoNetConfig.LinkShape link) {
        var prefix = "failed to read MTU file: ";
        var file = find(CalicoNetConfig.MTU_FILE, prefix);
        if (file.isEmpty() && link.mtuFileRequired()) {
            throw new CniException(
                    CniCode.INTERNAL,
                    "%sopen %s: no such file or directory".formatted(prefix, CalicoNetConfig.MTU_FILE));
        }
        try {
            int written = file.map(text -> Integer.parseInt(text.strip())).orElse(0);
            return Math.max(0, link.mtu() == 0 ? written : link.mtu());
        } catch (NumberFormatException garbage) {
            throw new CniException(CniError.of(CniCode.INTERNAL, prefix + garbage.getMessage()), garbage);
        }
    }

    private Optional<String> find(String path, String prefix) {
        try {
            return host.files().find(path);
        } catch (IOException unreadable) {
            throw new CniException(
                    CniError.of(CniCode.INTERNAL, "%sopen %s: %s".formatted(prefix, path, unreadable.getMessage())),
                    unreadable);
        }
    }

    /// Waits until everything that is to be ready is.
    ///
    /// @throws CniException if something is not
    void awaitReady(CalicoNetConfig.Waiting waiting) throws InterruptedException {
        for (var gate : waiting.gates()) {
            awaitReady(gate, address(gate));
        }
    }

    private void awaitReady(String gate, URI address) throws InterruptedException {
        for (int probe = 1; !host.probe().isReady(address); probe++) {
            if (probe == PROBES_MAX) {
                throw new CniException(CniCode.TRY_AGAIN_LATER, "readiness gate %s is shut".formatted(gate));
            }
            pause.pause(BETWEEN_PROBES);
        }
    }

    private static URI address(String gate) {
        try {
            var address = new URI(gate);
            if (address.getHost() == null) {
                throw new URISyntaxException(gate, "it names no host");
            }
            return address;
        } catch (URISyntaxException senseless) {
            throw new CniException(
                    CniError.of(
                            CniCode.INTERNAL,
                            "invalid URL set for ReadinessGates:%s Error:%s".formatted(gate, senseless.getMessage())),
                    senseless);
        }
    }

    /// Waits, for as long as is configured, until a status file shows that the policy of the endpoint is in
    /// force. It is not a failure if none appears.
    void awaitPolicy(CalicoNetConfig.Waiting waiting, Workload workload) throws InterruptedException {
        var id = workload.isPod() ? workload.namespace() + "%2F" + workload.pod() : "";
        var file = "%s/%s %s %s"
                .formatted(
                        waiting.statusFolder(),
                        workload.name().orchestrator(),
                        id.isEmpty() ? workload.containerId() : id,
                        workload.name().ifname());
        long looks = (long) waiting.policySeconds() * LOOKS_PER_SECOND;
        for (long look = 0; look < looks; look++) {
            if (find(file, "").isPresent()) {
                return;
            }
            pause.pause(BETWEEN_LOOKS);
        }
        if (looks > 0) {
            host.log().accept("timed out waiting for the policy of " + workload.name());
        }
    }
}
