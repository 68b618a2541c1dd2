/// The simulation of blocks that nodes lease and give back, as with Calico.
@NullMarked
package io.cadastre.verification.simulation.block;

import org.jspecify.annotations.NullMarked;
