/// Which pools a pod may draw from, and in which order: named or by default, those that fit, the most specific first.
@NullMarked
package io.cadastre.engine.pool.select;

import org.jspecify.annotations.NullMarked;
