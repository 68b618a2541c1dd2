/// Watches that all control loops of a process share: each kind is listed and watched once.
@NullMarked
package io.cadastre.controller.watch;

import org.jspecify.annotations.NullMarked;
