/// The runtime side of CNI, tried with real processes.
@NullMarked
package io.cadastre.cni.runtime;

import org.jspecify.annotations.NullMarked;
