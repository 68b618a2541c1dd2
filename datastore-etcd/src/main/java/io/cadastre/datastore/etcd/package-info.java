/// The etcd v3 store.
@NullMarked
package io.cadastre.datastore.etcd;

import org.jspecify.annotations.NullMarked;
