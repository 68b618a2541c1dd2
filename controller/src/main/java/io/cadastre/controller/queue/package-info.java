/// What is to be done, when, and never by two at once.
@NullMarked
package io.cadastre.controller.queue;

import org.jspecify.annotations.NullMarked;
