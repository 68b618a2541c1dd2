/// Pods and what has them, Deployments and other applications: what their annotations ask, and for which of them pools
/// are made.
@NullMarked
package io.cadastre.wire.spiderpool.workload;

import org.jspecify.annotations.NullMarked;
