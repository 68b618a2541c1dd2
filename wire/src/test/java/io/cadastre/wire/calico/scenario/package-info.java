/// The conformance scenarios of Calico, each with its id, for any store.
@NullMarked
package io.cadastre.wire.calico.scenario;

import org.jspecify.annotations.NullMarked;
