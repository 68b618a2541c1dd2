package io.cadastre.wire.calico.resource;

import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.CalicoResource;
import io.cadastre.wire.calico.CalicoStructs;
import java.util.List;

/// The allocator's configuration. It is stored under other field names than users write, and changed by the engine.
final class ConfigurationKind implements CalicoKind {

    private static final Traits TRAITS = Traits.of(
                    CalicoResource.VERSION,
                    "IPAMConfiguration",
                    "ipamconfigurations",
                    List.of(CalicoKeys.CONFIG),
                    PrinterColumn.always("STRICTAFFINITY", "/spec/strictAffinity"),
                    PrinterColumn.always("AUTOALLOCATEBLOCKS", "/spec/autoAllocateBlocks"),
                    PrinterColumn.always("MAXBLOCKSPERHOST", "/spec/maxBlocksPerHost"),
                    PrinterColumn.wide("COOLDOWN", "/spec/ipCooldownSeconds"))
            .writtenWith(CalicoStructs.CONFIGURATION);

    @Override
    public Traits traits() {
        return TRAITS;
    }
}
