package io.cadastre.cli.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.IpamConfig.Persistence;

/// The configuration as the resource `IPAMConfiguration` that users read and write. It is stored
/// where the allocator reads it.
public final class ConfigurationDocument {

    /// Its only name.
    public static final String NAME = "default";

    private static final int BLOCKS_MAX = 1_000_000;
    private static final int COOLDOWN_SECONDS_MAX = 1200;

    private ConfigurationDocument() {}

    public static ObjectNode of(IpamConfig config) {
        var json = JsonNodeFactory.instance.objectNode();
        json.put("kind", "IPAMConfiguration").put("apiVersion", "projectcalico.org/v3");
        json.putObject("metadata").put("name", NAME);
        var spec = json.putObject("spec");
        spec.put("strictAffinity", config.strictAffinity());
        spec.put("autoAllocateBlocks", config.autoAllocateBlocks());
        spec.put("maxBlocksPerHost", config.maxBlocksPerHost());
        switch (config.persistence()) {
            case ENABLED -> spec.put("kubeVirtVMAddressPersistence", "Enabled");
            case DISABLED -> spec.put("kubeVirtVMAddressPersistence", "Disabled");
            case UNSET -> {}
        }
        if (config.cooldownSeconds() != 0) {
            spec.put("ipCooldownSeconds", config.cooldownSeconds());
        }
        return json;
    }

    /// @throws CommandRefusedException if it breaks a rule
    static IpamConfig read(ObjectNode json) {
        var name = json.path("metadata").path("name").asText("");
        if (!name.equals(NAME)) {
            throw new CommandRefusedException(
                    "Cannot create an IPAMConfiguration resource with a name other than" + " \"default\"");
        }
        var spec = json.path("spec");
        return new IpamConfig(
                flag(spec, "strictAffinity"),
                flag(spec, "autoAllocateBlocks"),
                number(spec, "maxBlocksPerHost", BLOCKS_MAX),
                persistence(spec.path("kubeVirtVMAddressPersistence")),
                number(spec, "ipCooldownSeconds", COOLDOWN_SECONDS_MAX));
    }

    private static boolean flag(JsonNode spec, String name) {
        var node = spec.path(name);
        if (!node.isBoolean()) {
            throw new CommandRefusedException("error with field spec.%s (must be true or false)".formatted(name));
        }
        return node.booleanValue();
    }

    private static int number(JsonNode spec, String name, int max) {
        var node = spec.path(name);
        if (node.isMissingNode() || node.isNull()) {
            return 0;
        }
        if (!node.canConvertToInt() || !node.isIntegralNumber() || node.intValue() < 0 || node.intValue() > max) {
            throw new CommandRefusedException("error with field spec.%s = '%s' (must be a number from 0 to %d)"
                    .formatted(name, node.asText(), max));
        }
        return node.intValue();
    }

    private static Persistence persistence(JsonNode node) {
        return switch (node.asText("")) {
            case "", "null" -> Persistence.UNSET;
            case "Enabled" -> Persistence.ENABLED;
            case "Disabled" -> Persistence.DISABLED;
            default ->
                throw new CommandRefusedException(
                        "error with field spec.kubeVirtVMAddressPersistence = '%s' (supported values: \"Enabled\", \"Disabled\")"
                                .formatted(node.asText()));
        };
    }
}
