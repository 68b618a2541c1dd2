/// Kubernetes objects as JSON, and the book of nodes.
@NullMarked
package io.cadastre.wire.kubernetes;

import org.jspecify.annotations.NullMarked;
