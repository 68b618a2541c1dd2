package io.cadastre.controller;

import io.cadastre.controller.collection.ClusterSource;
import io.cadastre.controller.collection.LeakGrace;
import io.cadastre.controller.election.ElectionSettings;
import java.net.InetSocketAddress;

/// The settings of a controller at its start.
///
/// @param listen where its pages are
public record ControllerSettings(
        ElectionSettings election, LeakGrace leakGrace, ClusterSource source, InetSocketAddress listen) {}
