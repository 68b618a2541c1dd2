/// Tests of the host-local law. Ids such as H07 are those of the conformance scenarios.
@NullMarked
package io.cadastre.engine.hostlocal;

import org.jspecify.annotations.NullMarked;
