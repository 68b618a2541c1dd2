/// Tests of admission webhooks.
@NullMarked
package io.cadastre.controller.spiderpool.webhook;

import org.jspecify.annotations.NullMarked;
