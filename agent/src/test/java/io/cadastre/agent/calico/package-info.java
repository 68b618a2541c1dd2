/// Tests.
@NullMarked
package io.cadastre.agent.calico;

import org.jspecify.annotations.NullMarked;
