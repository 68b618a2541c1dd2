package io.cadastre.controller.spiderpool.inventory;

import io.cadastre.controller.spiderpool.collection.ControllerVariables;
import io.cadastre.engine.pool.collect.CollectSettings.Gate;
import io.cadastre.wire.spiderpool.settings.AgentVariable;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSettings;
import java.time.Duration;
import java.util.Map;

/// Whether and how often pools and subnets are counted.
///
/// @param counted whether they are counted at all
/// @param each whether the addresses of each of them are shown too
/// @param period how often they are counted
public record InventorySettings(Gate counted, Gate each, Duration period) {

    private static final int PERIOD_SECONDS = 120;

    /// As the variables of Spiderpool's controller say.
    ///
    /// @throws IllegalArgumentException if the period is not a number of seconds
    public static InventorySettings of(SpiderpoolSettings settings, Map<String, String> environment) {
        return new InventorySettings(
                gate(settings.flag(AgentVariable.METRIC)),
                gate(settings.flag(AgentVariable.DEBUG_METRIC)),
                new ControllerVariables(environment).seconds("SPIDERPOOL_METRIC_RENEW_PERIOD", PERIOD_SECONDS, 1));
    }

    private static Gate gate(boolean open) {
        return open ? Gate.OPEN : Gate.CLOSED;
    }
}
