package io.cadastre.cli;

import io.cadastre.controller.Controller;
import io.cadastre.controller.ControllerSettings;
import io.cadastre.controller.Means;
import io.cadastre.registry.Ledger;

/// A controller from its beginning until somebody stops the process.
final class ControllerRun {

    private final Surroundings surroundings;
    private final StoreOptions storeOptions;
    private final ControllerSettings settings;

    ControllerRun(
            Surroundings surroundings, StoreOptions storeOptions, ControllerSettings settings) {
        this.surroundings = surroundings;
        this.storeOptions = storeOptions;
        this.settings = settings;
    }

    int run() {
        try (var stop = StopSignal.begin();
                var office = Office.open(storeOptions, surroundings);
                var controller = Controller.start(settings, means(office))) {
            var address = controller.address();
            surroundings
                    .out()
                    .println(
                            "controller %s stands for election; its pages are on http://%s:%d"
                                    .formatted(
                                            settings.election().identity(),
                                            address.getHostString(),
                                            address.getPort()));
            surroundings.out().flush();
            stop.await();
            surroundings.err().println("cadastre: stopping");
            return ExitCode.DONE;
        }
    }

    private Means means(Office office) {
        return new Means(
                office.datastore(),
                new Ledger(office.journal()),
                surroundings.clock(),
                System::nanoTime,
                surroundings.dice(),
                surroundings.pause(),
                surroundings::complain);
    }
}
