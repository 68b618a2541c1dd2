/// Health and metrics, for monitoring.
@NullMarked
package io.cadastre.controller.pages;

import org.jspecify.annotations.NullMarked;
