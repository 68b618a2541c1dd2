/// The store that is the Kubernetes API.
///
/// Which object holds which document is said by a [io.cadastre.datastore.resource.ResourceMap]. This
/// package knows requests, answers and resource versions; configuration files, credentials and TLS are
/// fabric8's, whose HTTP client is used without its retries.
@NullMarked
package io.cadastre.datastore.kubernetes;

import org.jspecify.annotations.NullMarked;
