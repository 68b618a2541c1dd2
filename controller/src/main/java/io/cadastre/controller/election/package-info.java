/// One of several processes works, and the others wait for it to stop.
///
/// They meet at a Lease of Kubernetes and follow the rules of client-go, so that both can stand for the
/// same office. Nobody compares his wall clock with another's: a lease has expired when somebody has
/// watched it for its whole duration by his own monotonic clock and it did not change. Whoever holds it
/// stops well before that, since every commit of his asks first whether he still does.
@NullMarked
package io.cadastre.controller.election;

import org.jspecify.annotations.NullMarked;
