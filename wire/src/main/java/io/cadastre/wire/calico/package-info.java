/// Calico's address management as its etcd store has it: keys, JSON documents, and the book of blocks.
///
/// Matched: `projectcalico/calico` at `87c15906f20c`, as `libcalico-go` writes to etcd v3.
@NullMarked
package io.cadastre.wire.calico;

import org.jspecify.annotations.NullMarked;
