/// Tests of address arithmetic: examples, and slow twins on seeded chance.
@NullMarked
package io.cadastre.address;

import org.jspecify.annotations.NullMarked;
