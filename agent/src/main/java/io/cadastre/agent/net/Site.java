package io.cadastre.agent.net;

import io.cadastre.registry.Pause;

/// All that a call is served with.
record Site(
        Host host,
        Gates gates,
        Records records,
        PodLookup pods,
        Delegates delegates,
        Pause pause) {}
