/// The simulation of controllers that are elected and give the Nodes of a Kubernetes API their CIDRs.
@NullMarked
package io.cadastre.verification.simulation.nodeipam;

import org.jspecify.annotations.NullMarked;
