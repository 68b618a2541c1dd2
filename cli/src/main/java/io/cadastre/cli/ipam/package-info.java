/// The commands under `ipam`: Calico's blocks and addresses, assigned, released, shown, checked and adopted.
///
/// Names, flags and output are those of `calicoctl ipam` where it has the command; what is matched is in
/// `docs/compat/calico.md`.
@NullMarked
package io.cadastre.cli.ipam;

import org.jspecify.annotations.NullMarked;
