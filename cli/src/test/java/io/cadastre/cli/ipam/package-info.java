/// The commands under `ipam`, on the embedded store, on etcd and on an API server.
@NullMarked
package io.cadastre.cli.ipam;

import org.jspecify.annotations.NullMarked;
