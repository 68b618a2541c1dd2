package io.cadastre.cli.run;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.session.SpiderpoolOptions;
import io.cadastre.controller.ChosenLoops;
import io.cadastre.controller.ControlLoop;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.collection.ClusterSource;
import io.cadastre.controller.spiderpool.collection.PoolGarbageCollection;
import io.cadastre.controller.spiderpool.collection.PoolGcSettings;
import io.cadastre.controller.spiderpool.inventory.InventorySettings;
import io.cadastre.controller.spiderpool.inventory.PoolInventory;
import io.cadastre.controller.spiderpool.multus.MultusNetworks;
import io.cadastre.controller.spiderpool.status.PoolStatus;
import io.cadastre.controller.spiderpool.subnet.SubnetPools;
import io.cadastre.controller.spiderpool.subnet.SubnetSettings;
import io.cadastre.controller.spiderpool.webhook.SpiderWebhook;
import io.cadastre.controller.spiderpool.webhook.WebhookSettings;
import io.cadastre.engine.pool.collect.CollectSettings.Gate;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSwitch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The control loops of Spiderpool's dialect that run: those that are chosen and that the environment does not switch
/// off.
///
/// @param collection how addresses of pools are collected
/// @param inventory how pools are counted
/// @param multus whether NetworkAttachmentDefinitions are kept
/// @param status whether addresses of pools are counted, and deleted pools let go
/// @param subnets how pools are made of subnets
/// @param webhooks how webhooks are served; empty if they are not
record SpiderpoolLoops(
        Optional<PoolGcSettings> collection,
        Optional<InventorySettings> inventory,
        Gate multus,
        Gate status,
        Optional<SubnetSettings> subnets,
        Optional<WebhookSettings> webhooks) {

    /// The names of all of them.
    static final List<String> NAMES = List.of(
            PoolGarbageCollection.NAME,
            PoolInventory.NAME,
            MultusNetworks.NAME,
            PoolStatus.NAME,
            SubnetPools.NAME,
            SpiderWebhook.NAME);

    /// Those that would undo what Spiderpool's own controller does beside them.
    static final List<String> OFF_BY_DEFAULT = List.of(MultusNetworks.NAME, SubnetPools.NAME);

    /// @throws UsageException if a setting has a value that it cannot have
    static SpiderpoolLoops read(ChosenLoops chosen, SpiderpoolOptions options, CommandContext context) {
        if (NAMES.stream().noneMatch(chosen::includes)) {
            return new SpiderpoolLoops(
                    Optional.empty(), Optional.empty(), Gate.CLOSED, Gate.CLOSED, Optional.empty(), Optional.empty());
        }
        try {
            var settings = options.settings(context);
            var environment = context.environment();
            return new SpiderpoolLoops(
                    Optional.of(PoolGcSettings.of(settings, environment))
                            .filter(read -> chosen.includes(PoolGarbageCollection.NAME))
                            .filter(read -> read.enabled() == Gate.OPEN),
                    Optional.of(InventorySettings.of(settings, environment))
                            .filter(read -> chosen.includes(PoolInventory.NAME))
                            .filter(read -> read.counted() == Gate.OPEN),
                    gate(chosen, MultusNetworks.NAME),
                    gate(chosen, PoolStatus.NAME),
                    chosen.includes(SubnetPools.NAME) && settings.has(SpiderpoolSwitch.SPIDER_SUBNET)
                            ? Optional.of(SubnetSettings.of(settings, environment))
                            : Optional.empty(),
                    Optional.empty());
        } catch (IllegalArgumentException fault) {
            throw new UsageException(String.valueOf(fault.getMessage()));
        }
    }

    private static Gate gate(ChosenLoops chosen, String name) {
        return chosen.includes(name) ? Gate.OPEN : Gate.CLOSED;
    }

    /// These, with webhooks.
    SpiderpoolLoops serving(Optional<WebhookSettings> served) {
        return new SpiderpoolLoops(collection, inventory, multus, status, subnets, served);
    }

    boolean isEmpty() {
        return collection.isEmpty()
                && inventory.isEmpty()
                && multus == Gate.CLOSED
                && status == Gate.CLOSED
                && subnets.isEmpty()
                && webhooks.isEmpty();
    }

    /// Why those that are chosen do not run; empty if none is chosen.
    static String silence(ChosenLoops chosen) {
        var reasons = new StringBuilder();
        if (chosen.includes(PoolGarbageCollection.NAME)) {
            reasons.append(", and SPIDERPOOL_GC_IP_ENABLED switches spiderpool-gc off");
        }
        if (chosen.includes(PoolInventory.NAME)) {
            reasons.append(", and spiderpool-metrics needs SPIDERPOOL_ENABLED_METRIC");
        }
        if (chosen.includes(SubnetPools.NAME)) {
            reasons.append(", and enableSpiderSubnet of conf.yml switches spiderpool-subnet off");
        }
        return reasons.toString();
    }

    List<ControlLoop> create(ControllerContext means, ClusterSource source) {
        var loops = new ArrayList<ControlLoop>();
        collection.ifPresent(settings -> loops.add(new PoolGarbageCollection(means, settings, source)));
        inventory.ifPresent(settings -> loops.add(new PoolInventory(means, settings)));
        if (multus == Gate.OPEN) {
            loops.add(new MultusNetworks(means));
        }
        if (status == Gate.OPEN) {
            loops.add(new PoolStatus(means));
        }
        subnets.ifPresent(settings -> loops.add(new SubnetPools(means, settings)));
        webhooks.ifPresent(settings -> loops.add(new SpiderWebhook(means, settings)));
        return loops;
    }
}
