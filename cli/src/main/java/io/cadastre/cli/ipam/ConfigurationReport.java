package io.cadastre.cli.ipam;

import com.fasterxml.jackson.databind.JsonNode;
import io.cadastre.cli.resource.ConfigurationDocument;
import io.cadastre.engine.block.IpamConfig;
import java.io.PrintStream;
import java.util.List;

/// What is configured for all nodes.
record ConfigurationReport(IpamConfig config) implements IpamReport {

    @Override
    public void printText(PrintStream out) {
        new BoxTable(
                        List.of("PROPERTY", "VALUE"),
                        2,
                        List.of(
                                List.of("StrictAffinity", Boolean.toString(config.strictAffinity())),
                                List.of("AutoAllocateBlocks", Boolean.toString(config.autoAllocateBlocks())),
                                List.of("MaxBlocksPerHost", Integer.toString(config.maxBlocksPerHost())),
                                List.of("KubeVirtVMAddressPersistence", persistence()),
                                List.of("IPCooldownSeconds", Integer.toString(config.cooldownSeconds()))))
                .print(out);
    }

    private String persistence() {
        return switch (config.persistence()) {
            case UNSET, ENABLED -> "\"Enabled\"";
            case DISABLED -> "\"Disabled\"";
        };
    }

    @Override
    public JsonNode document() {
        return ConfigurationDocument.of(config);
    }

    @Override
    public List<String> names() {
        return List.of("ipamconfiguration/" + ConfigurationDocument.NAME);
    }
}
