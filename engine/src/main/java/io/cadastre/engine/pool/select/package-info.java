/// Which pools a pod may draw from, and in which order: named or by default, those that fit, the most specific first.
/// Of a pool that overlaps another, what it can give.
@NullMarked
package io.cadastre.engine.pool.select;

import org.jspecify.annotations.NullMarked;
