@NullMarked
package io.cadastre.controller.queue;

import org.jspecify.annotations.NullMarked;
