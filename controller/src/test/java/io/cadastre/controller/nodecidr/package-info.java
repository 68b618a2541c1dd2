@NullMarked
package io.cadastre.controller.nodecidr;

import org.jspecify.annotations.NullMarked;
