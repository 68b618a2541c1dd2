/// The commands under `node-cidr` assign, release, show and explain the CIDRs of nodes, with the flags of
/// kube-controller-manager.
@NullMarked
package io.cadastre.cli.nodecidr;

import org.jspecify.annotations.NullMarked;
