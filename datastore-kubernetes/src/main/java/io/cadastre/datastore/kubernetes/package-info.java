/// The Kubernetes API as a store: each document is an object, or a part of one.
///
/// **What is stored where.** A [io.cadastre.datastore.resource.ResourceMap] defines which object holds the document of
/// a key, which collections hold the documents under a prefix, and how a value is written into an object. This
/// package knows requests, answers and resource versions, and nothing of the documents. Objects pass through it as
/// the bytes of their JSON, so that fields of other writers stay as they are. [SeenObjects] keeps the objects that
/// were read or written last: an update sends the object whole, and need not read it first.
///
/// **Revisions** are resource versions. The API server takes them from one etcd for all kinds, so they order the
/// changes of the whole store. An update that changes nothing keeps the revision of its object. The API server does
/// not report the revision of a deletion: where objects are marked first it is that of the tombstone, and otherwise
/// one
/// that the server had soon after.
///
/// **Writes.** There are no transactions. `ObjectWriter` applies a commit one write after another, each conditional on
/// the revision that its caller has read, and stops at the first that does not hold. Writes that do not depend on
/// each
/// other (`commitEach`) are sent at once, up to thirty at a time. An update goes to the whole object or to its
/// subresource `status`, as its kind says, or to the one that it changes. An [ObjectPatch] says it for each write: it
// changes some
/// fields of an object and leaves the others to their writers, finalizers among them.
///
/// **Deletions.** Where the kind asks for it, an object is rewritten as a tombstone, at the revision that was read, and
/// then deleted by its UID. The rewrite decides: a reader that meets a tombstone deletes it and finds nothing, a
/// creation deletes it and creates, and a patch finds nothing. Where a kind has a finalizer, a deletion at the revision
/// that was read makes the server note it, and then a patch at the revision of its answer takes the finalizer off,
// unless
/// the object is in use. An object whose deletion has begun stays a document until its last finalizer is taken off.
///
/// **Lists** are read page by page. The API server orders objects by their names and not by keys, so a page in the
/// order of keys costs a reading of the whole collection; `scan` passes on the pages of the server as they come.
///
/// **Watches.** A watch follows each collection by one stream after another, from the last bookmark or event. If the
/// server no longer knows that revision the watch is over, and its reader lists again. Over several collections a
/// notice has the revision up to which every collection has reported.
///
/// **Lost answers.** `ApiClient` sends a write again only if the server certainly did not act on it: no connection
/// came about, or the server turned the request away (429, or 503 with `Retry-After`). A connection that breaks, a time
/// that runs out, any other 5xx, or a good answer that cannot be read makes the write unknown. Once a write of a
/// commit was applied, whatever goes wrong later is unknown too, since an exception says that nothing was written.
/// Servers fill in fields and order them, so `holds` asks the server by a dry run whether a value would change the
/// object.
///
/// **Limits.** Requests take permits from a `Limiter`, at most 64 are under way at a time, and every call ends within
/// the limit of its settings.
///
/// **Connections.** HTTP/2 where TLS negotiates it, else HTTP/1.1. The JDK puts request after request on a connection
/// of HTTP/2 that has died in silence. `LiveTransport` therefore sends a probe when a request or a watch is silent for
/// long, and begins with new connections if no answer comes: reads are sent again, writes that were under way are
/// unknown, and watches go on from their last revision. What a watch receives is taken from its connection at once,
/// since all streams of a connection share one window. Configuration files, credentials and TLS are fabric8's, whose
/// HTTP client is used without its retries.
@NullMarked
package io.cadastre.datastore.kubernetes;

import org.jspecify.annotations.NullMarked;
