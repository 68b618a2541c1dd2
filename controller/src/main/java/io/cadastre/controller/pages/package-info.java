/// Health and figures, for those who watch over the process.
@NullMarked
package io.cadastre.controller.pages;

import org.jspecify.annotations.NullMarked;
