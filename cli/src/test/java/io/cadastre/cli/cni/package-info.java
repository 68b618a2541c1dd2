/// The commands under `cni`, with real plugins and real network namespaces where the machine has them.
@NullMarked
package io.cadastre.cli.cni;

import org.jspecify.annotations.NullMarked;
