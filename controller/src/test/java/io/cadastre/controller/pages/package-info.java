@NullMarked
package io.cadastre.controller.pages;

import org.jspecify.annotations.NullMarked;
