package io.cadastre.controller.spiderpool.subnet;

import io.cadastre.address.Family;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSettings;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSwitch;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// How pools are made of subnets, as `conf.yml` and the environment of Spiderpool's controller say.
///
/// @param families those of which addresses are given
/// @param making whether pools are made for applications
/// @param redundancy how many addresses more than replicas a pool has if the application does not say
/// @param retryDelay after which what could not be done is tried again
/// @param resyncPeriod how often all pools and subnets are looked at
public record SubnetSettings(
        List<Family> families, Making making, int redundancy, Duration retryDelay, Duration resyncPeriod) {

    private static final String RETRY_DELAY = "SPIDERPOOL_WORKQUEUE_RETRY_DELAY_DURATION";
    private static final int RETRY_SECONDS = 5;
    private static final int RETRY_SECONDS_MAX = 1_000_000;
    private static final Duration RESYNC_PERIOD = Duration.ofMinutes(5);

    public SubnetSettings {
        families = List.copyOf(families);
    }

    /// Whether pools are made for applications. Subnets control pools in any case.
    public enum Making {
        ON,
        OFF
    }

    /// As the file and the environment say.
    ///
    /// @throws IllegalArgumentException if a variable has a value that it cannot have
    public static SubnetSettings of(SpiderpoolSettings settings, Map<String, String> environment) {
        return new SubnetSettings(
                settings.families(),
                settings.has(SpiderpoolSwitch.AUTO_POOL) ? Making.ON : Making.OFF,
                settings.redundantAddresses(),
                retryDelay(environment.getOrDefault(RETRY_DELAY, "")),
                RESYNC_PERIOD);
    }

    private static Duration retryDelay(String text) {
        try {
            int seconds = text.isEmpty() ? RETRY_SECONDS : Integer.parseInt(text);
            if (seconds >= 1 && seconds <= RETRY_SECONDS_MAX) {
                return Duration.ofSeconds(seconds);
            }
        } catch (NumberFormatException _) {
            // Reported below, like a number that is out of bounds.
        }
        throw new IllegalArgumentException(
                "%s is '%s', which is not a whole number of seconds from 1 to %d; set it to one, or unset it (default %d)"
                        .formatted(RETRY_DELAY, text, RETRY_SECONDS_MAX, RETRY_SECONDS));
    }
}
