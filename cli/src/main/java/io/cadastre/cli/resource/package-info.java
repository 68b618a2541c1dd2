/// The commands that read and write whole resources, as kubectl and calicoctl do: `apply`, `create`, `get` and
/// `delete`.
@NullMarked
package io.cadastre.cli.resource;

import org.jspecify.annotations.NullMarked;
