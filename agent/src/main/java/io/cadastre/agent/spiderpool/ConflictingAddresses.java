package io.cadastre.agent.spiderpool;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;

/// Addresses that another host was seen to have when a pod was given them. The lowest free address is given
/// first, so the pod would otherwise be given the same one repeatedly.
///
/// Other pods may still be given them: each detects the conflict for itself.
final class ConflictingAddresses {

    /// How long another host that was seen with an address is taken to have it.
    private static final Duration KEPT = Duration.ofMinutes(10);

    private static final int FINDINGS_MAX = 1024;

    private record Finding(String uid, Address address, Instant until) {}

    private final InstantSource clock;

    /// Oldest first; its own lock guards it.
    private final ArrayDeque<Finding> findings = new ArrayDeque<>();

    ConflictingAddresses(InstantSource clock) {
        this.clock = clock;
    }

    void add(String uid, Address address) {
        synchronized (findings) {
            if (findings.size() == FINDINGS_MAX) {
                findings.removeFirst();
            }
            findings.addLast(new Finding(uid, address, clock.instant().plus(KEPT)));
        }
    }

    RangeSet of(String uid) {
        var now = clock.instant();
        synchronized (findings) {
            findings.removeIf(finding -> !finding.until().isAfter(now));
            return new RangeSet(findings.stream()
                    .filter(finding -> finding.uid().equals(uid))
                    .map(finding -> Range.of(finding.address()))
                    .toList());
        }
    }
}
