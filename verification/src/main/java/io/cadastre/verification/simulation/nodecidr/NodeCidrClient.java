package io.cadastre.verification.simulation.nodecidr;

import io.cadastre.engine.nodecidr.NodeCidrAssignment;
import io.cadastre.engine.nodecidr.Removal;

/// What a simulated process asks: the front of a registrar.
interface NodeCidrClient {

    NodeCidrAssignment add(String node);

    Removal remove(String node);
}
