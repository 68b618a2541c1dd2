/// What Spiderpool's `conf.yml` and the environment of its agent set: each setting with its default and its rule.
@NullMarked
package io.cadastre.wire.spiderpool.settings;

import org.jspecify.annotations.NullMarked;
