/// The simulation of pools from which pods get addresses one by one, as with Spiderpool.
@NullMarked
package io.cadastre.verification.simulation.pool;

import org.jspecify.annotations.NullMarked;
