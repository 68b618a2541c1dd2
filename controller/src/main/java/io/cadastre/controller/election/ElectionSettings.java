package io.cadastre.controller.election;

import io.cadastre.wire.kubernetes.CoreKeys;
import java.time.Duration;

/// Which lease a leader elector competes for, and its times.
///
/// @param identity the name of the elector; two may have the same name and still not both hold the lease
/// @param leaseDuration how long a lease must not have changed before another elector may take it
/// @param renewDeadline how long after a renewal its holder may write
/// @param retryPeriod how often a holder renews and others look
public record ElectionSettings(
        String namespace,
        String name,
        String identity,
        Duration leaseDuration,
        Duration renewDeadline,
        Duration retryPeriod) {

    /// The keys of leases are this, the namespace, a slash and the name.
    public static final String LEASES = CoreKeys.LEASES;

    private static final Duration LEASE_DURATION = Duration.ofSeconds(15);
    private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
    private static final Duration RETRY_PERIOD = Duration.ofSeconds(2);

    public ElectionSettings {
        if (identity.isEmpty() || !isName(namespace) || !isName(name)) {
            throw new IllegalArgumentException(
                    ("the names of a candidate, a namespace and a lease must not be empty, nor the"
                                    + " last two contain '/': '%s', '%s', '%s'")
                            .formatted(identity, namespace, name));
        }
        if (renewDeadline.compareTo(leaseDuration) >= 0 || retryPeriod.compareTo(renewDeadline) >= 0) {
            throw new IllegalArgumentException(
                    "the lease duration %s must exceed the renew deadline %s, which must exceed the retry period %s"
                            .formatted(leaseDuration, renewDeadline, retryPeriod));
        }
    }

    private static boolean isName(String text) {
        return !text.isEmpty() && text.indexOf('/') < 0;
    }

    /// With the times of client-go.
    public static ElectionSettings of(String namespace, String name, String identity) {
        return new ElectionSettings(namespace, name, identity, LEASE_DURATION, RENEW_DEADLINE, RETRY_PERIOD);
    }

    String key() {
        return LEASES + namespace + "/" + name;
    }
}
