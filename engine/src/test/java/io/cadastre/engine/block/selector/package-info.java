/// Tests of the selector language: examples, what Calico made of them, and seeded chance.
@NullMarked
package io.cadastre.engine.block.selector;

import org.jspecify.annotations.NullMarked;
