package io.cadastre.controller;

import io.cadastre.controller.election.ElectionSettings;
import java.net.InetSocketAddress;

/// The settings of a controller at its start.
///
/// @param listen where its pages are
public record ControllerSettings(ElectionSettings election, InetSocketAddress listen) {}
