/// Tests of the plugin host-local on real folders. Ids such as H07 are those of the conformance scenarios.
@NullMarked
package io.cadastre.agent.hostlocal;

import org.jspecify.annotations.NullMarked;
