/// The Kubernetes API as a store: each document is an object, or a part of one.
///
/// A [io.cadastre.datastore.resource.ResourceMap] defines which object holds which document and how the one
/// is written as the other. The revision is the object's `resourceVersion`. There are no transactions: the
/// writes of a commit are done one by one, in their order, and the commit stops at the first that does not
/// hold.
///
/// Lists are read page by page. A watch follows each collection by one stream after another, with bookmarks,
/// and begins again where the server no longer knows the version. Requests are limited by a bucket of
/// permits, and repeated only where that is safe. This package knows requests, answers and resource versions;
/// configuration files, credentials and TLS are fabric8's, whose HTTP client is used without its retries.
@NullMarked
package io.cadastre.datastore.kubernetes;

import org.jspecify.annotations.NullMarked;
