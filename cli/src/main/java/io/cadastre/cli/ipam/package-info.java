/// The commands under `ipam` assign, release, show, check and adopt Calico's blocks and addresses.
///
/// Names, flags and output are those of `calicoctl ipam` where it has the command; what is matched is in
/// `docs/compat/calico.md`.
@NullMarked
package io.cadastre.cli.ipam;

import org.jspecify.annotations.NullMarked;
