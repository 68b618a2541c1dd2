@NullMarked
package io.cadastre.controller.collection;

import org.jspecify.annotations.NullMarked;
