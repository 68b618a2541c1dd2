/// The simulation of controllers that are elected and collect garbage.
@NullMarked
package io.cadastre.verification.simulation.controller;

import org.jspecify.annotations.NullMarked;
