package io.cadastre.wire.calico;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.IpamConfig.Persistence;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import java.util.ArrayList;
import java.util.List;

/// The configuration as JSON. What is false, zero or not set is left out, so that `{}` forbids hosts to
/// claim blocks by themselves.
public final class ConfigDocument implements CalicoDocument {

    private static final String STRICT = "strict_affinity";
    private static final String AUTO = "auto_allocate_blocks";
    private static final String BLOCKS_MAX = "maxBlocksPerHost";
    private static final String PERSISTENCE = "kubeVirtVMAddressPersistence";
    private static final String COOLDOWN = "ipCooldownSeconds";

    private static final String ENABLED = "Enabled";
    private static final String DISABLED = "Disabled";

    private final IpamConfig config;

    /// Its numbers that an `int` cannot hold, which Calico accepts all the same.
    private final Wide wide;

    private final ForeignFields foreign;

    private record Wide(long blocksMax, long cooldown) {

        /// The nearest number that an `int` can hold.
        static int narrowed(long number) {
            return Math.clamp(number, Integer.MIN_VALUE, Integer.MAX_VALUE);
        }

        /// What is written for a number that was read as wide and is this now.
        static long written(int number, long wide) {
            return narrowed(wide) == number ? wide : number;
        }
    }

    private ConfigDocument(IpamConfig config, Wide wide, ForeignFields foreign) {
        this.config = config;
        this.wide = wide;
        this.foreign = foreign;
    }

    static ConfigDocument create(IpamConfig config) {
        return new ConfigDocument(
                config, new Wide(config.maxBlocksPerHost(), config.cooldownSeconds()), ForeignFields.NONE);
    }

    static ConfigDocument read(Fields reader, ObjectNode json) {
        var persistence =
                switch (reader.text(json, PERSISTENCE)) {
                    case ENABLED -> Persistence.ENABLED;
                    case DISABLED -> Persistence.DISABLED;
                    default -> Persistence.UNSET;
                };
        var wide = new Wide(
                // Calico takes a negative limit for none.
                Math.max(0, reader.number(json.path(BLOCKS_MAX), BLOCKS_MAX)),
                reader.number(json.path(COOLDOWN), COOLDOWN));
        var config = new IpamConfig(
                reader.flag(json, STRICT),
                reader.flag(json, AUTO),
                Wide.narrowed(wide.blocksMax()),
                persistence,
                Wide.narrowed(wide.cooldown()));
        var understood = new ArrayList<>(List.of(STRICT, AUTO, BLOCKS_MAX, COOLDOWN));
        if (persistence != Persistence.UNSET || Fields.absent(json.path(PERSISTENCE))) {
            understood.add(PERSISTENCE);
        }
        return new ConfigDocument(config, wide, ForeignFields.of(json, understood));
    }

    public IpamConfig config() {
        return config;
    }

    ConfigDocument with(IpamConfig changed) {
        return new ConfigDocument(changed, wide, foreign);
    }

    @Override
    public Bytes encode() {
        var json = Json.emptyObject();
        if (config.strictAffinity()) {
            json.put(STRICT, true);
        }
        if (config.autoAllocateBlocks()) {
            json.put(AUTO, true);
        }
        if (config.maxBlocksPerHost() != 0) {
            json.put(BLOCKS_MAX, Wide.written(config.maxBlocksPerHost(), wide.blocksMax()));
        }
        switch (config.persistence()) {
            case ENABLED -> json.put(PERSISTENCE, ENABLED);
            case DISABLED -> json.put(PERSISTENCE, DISABLED);
            case UNSET -> {}
        }
        if (config.cooldownSeconds() != 0) {
            json.put(COOLDOWN, Wide.written(config.cooldownSeconds(), wide.cooldown()));
        }
        foreign.addTo(json);
        return Json.write(json);
    }
}
