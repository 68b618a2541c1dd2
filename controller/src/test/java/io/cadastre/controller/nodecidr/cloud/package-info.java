/// Tests of the allocators that ask a cloud.
@NullMarked
package io.cadastre.controller.nodecidr.cloud;

import org.jspecify.annotations.NullMarked;
