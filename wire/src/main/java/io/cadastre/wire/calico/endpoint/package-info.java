/// Workload endpoints and profiles as Calico has them in etcd: which workload is attached where, with which
/// addresses, and which rules hold for it.
///
/// Matched: `projectcalico/calico` at `87c15906f20c`, the resources `WorkloadEndpoint` and `Profile` of
/// `projectcalico.org/v3`.
@NullMarked
package io.cadastre.wire.calico.endpoint;

import org.jspecify.annotations.NullMarked;
