/// The simulation of node CIDRs.
@NullMarked
package io.cadastre.verification.simulation.nodecidr;

import org.jspecify.annotations.NullMarked;
