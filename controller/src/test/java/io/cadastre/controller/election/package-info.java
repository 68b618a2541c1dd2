@NullMarked
package io.cadastre.controller.election;

import org.jspecify.annotations.NullMarked;
