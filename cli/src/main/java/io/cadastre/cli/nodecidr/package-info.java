/// The commands under `node-cidr`: the CIDRs of nodes, given, taken back, shown and explained, with the flags of
/// kube-controller-manager.
@NullMarked
package io.cadastre.cli.nodecidr;

import org.jspecify.annotations.NullMarked;
