/// Tests of the laws of node CIDRs that a cloud has a say in.
@NullMarked
package io.cadastre.engine.nodecidr.cloud;

import org.jspecify.annotations.NullMarked;
