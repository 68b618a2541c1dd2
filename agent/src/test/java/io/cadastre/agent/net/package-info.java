/// Tests.
@NullMarked
package io.cadastre.agent.net;

import org.jspecify.annotations.NullMarked;
