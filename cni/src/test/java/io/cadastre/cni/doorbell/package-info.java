/// Tests of the plugin's side.
@NullMarked
package io.cadastre.cni.doorbell;

import org.jspecify.annotations.NullMarked;
