/// What has pods: Deployments and other applications, as far as pools are made for them.
@NullMarked
package io.cadastre.wire.spiderpool.workload;

import org.jspecify.annotations.NullMarked;
