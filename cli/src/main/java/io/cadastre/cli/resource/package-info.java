/// The commands that read and write whole resources, as kubectl and calicoctl do: `apply`, `create`, `get` and
/// `delete`.
///
/// Resources of Calico and of Spiderpool come in the same files and are written in the order in which they
/// stand there.
@NullMarked
package io.cadastre.cli.resource;

import org.jspecify.annotations.NullMarked;
