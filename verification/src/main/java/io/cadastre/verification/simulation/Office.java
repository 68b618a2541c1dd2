package io.cadastre.verification.simulation;

import io.cadastre.engine.nodecidr.Assignment;
import io.cadastre.engine.nodecidr.Removal;

/// What a simulated process asks: the front of a registrar.
interface Office {

    Assignment add(String node);

    Removal remove(String node);
}
