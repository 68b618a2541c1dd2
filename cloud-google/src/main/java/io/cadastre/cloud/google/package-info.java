/// Google Compute Engine, as an allocator of node CIDRs needs it: the alias ranges of a machine are read, and one is
/// added.
///
/// [io.cadastre.cloud.google.GoogleCloud] is the port's implementation. It reads an instance, writes all alias ranges
/// of its first network interface under the fingerprint that it read, and follows the operation that this starts.
/// [io.cadastre.cloud.google.ComputeApi] makes the requests, each with a deadline and a bounded answer, and
/// [io.cadastre.cloud.google.AccessToken] keeps the token that they bear.
/// [io.cadastre.cloud.google.GoogleCloudConfig] reads the file that kube-controller-manager has for `--cloud-config`.
///
/// **Nothing that a server sends is taken on trust**: an answer that is too long, too deep, too late or not what it
/// should be is a failure with a sentence. A sentence quotes the server, shortened, and never a token.
@NullMarked
package io.cadastre.cloud.google;

import org.jspecify.annotations.NullMarked;
