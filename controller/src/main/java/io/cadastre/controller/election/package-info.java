/// One of several processes works, and the others wait for it to stop.
///
/// They share a Lease of Kubernetes and follow the rules of client-go, so that both can compete for the
/// same lease. Processes never compare their wall clocks: a lease has expired when a process has watched it
/// for its whole duration by its own monotonic clock and it did not change. The holder stops well before
/// that, since each of its commits first checks whether its term is still valid.
@NullMarked
package io.cadastre.controller.election;

import org.jspecify.annotations.NullMarked;
