package io.cadastre.cli.history;

import io.cadastre.address.Address;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.FormatOption;
import io.cadastre.cli.command.Moment;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.engine.Holding;
import io.cadastre.engine.hostlocal.FolderEntry;
import io.cadastre.engine.hostlocal.HostLocalHoldings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "who",
        description = {
            "Show who holds an address, since when and why; with --at, who held it at that time.",
            "Lists the pool first, then the node that has the block or node CIDR, then the pod. The"
                    + " current holders come from the store, whichever product wrote them; times and"
                    + " reasons come from the ledger. WHY says 'not in the ledger' of a holder that"
                    + " only the store records, and 'not in the store' of one that only the ledger"
                    + " records, for example because another process released the address.",
            "With --at, only the ledger is read. The exit code is 1 if the address has two holders, or"
                    + " if the store cannot be read."
        },
        footer = {
            "TIME is a timestamp such as 2026-01-31T12:00:00Z, or an age such as 2h (two hours ago).",
            "",
            "Examples:",
            "  cadastre who 10.244.3.7",
            "  cadastre who 10.244.3.7 --at 2026-01-31T12:00:00Z",
            "  cadastre who 10.244.3.7 --at 2h -o json",
            "  cadastre who 10.88.0.5 --host-local-dir /var/lib/cni/networks"
        })
public final class WhoCommand implements Callable<Integer> {

    private final CommandContext context;

    @Mixin
    private final StoreOptions storeOptions = new StoreOptions();

    @Mixin
    private final FormatOption formatOption = new FormatOption();

    @Parameters(paramLabel = "ADDRESS", description = "An IPv4 or IPv6 address.")
    private String address = "";

    @Option(names = "--at", paramLabel = "TIME", description = "Show the holder at this time; default: now.")
    private @Nullable String at;

    @Option(
            names = "--host-local-dir",
            paramLabel = "DIR",
            description = "Also read the folders that host-local keeps here, one per network.")
    private @Nullable Path hostLocalDirectory;

    public WhoCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        var search = new HolderSearch(parsed(), storeOptions, context);
        return at == null
                ? search.printNow(hostLocal(search.address()), formatOption.format())
                : search.printAt(moment(at), formatOption.format());
    }

    /// What the folders of host-local's networks say. A file has the name of its address.
    private List<Holding> hostLocal(Address of) {
        if (hostLocalDirectory == null) {
            return List.of();
        }
        var holdings = new ArrayList<Holding>();
        try (var networks = Files.newDirectoryStream(hostLocalDirectory, Files::isDirectory)) {
            for (var network : networks) {
                var file = network.resolve(of.toString());
                if (Files.isRegularFile(file)) {
                    holdings.addAll(HostLocalHoldings.of(new FolderEntry(of.toString(), Files.readString(file))));
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot read %s: %s".formatted(hostLocalDirectory, failed), failed);
        }
        return holdings;
    }

    private Address parsed() {
        try {
            return Address.parse(address).unmapped();
        } catch (IllegalArgumentException malformed) {
            throw new UsageException(String.valueOf(malformed.getMessage()));
        }
    }

    private Instant moment(String text) {
        try {
            return Moment.parse(text, context.clock().instant());
        } catch (IllegalArgumentException malformed) {
            throw new UsageException("--at: " + malformed.getMessage());
        }
    }
}
