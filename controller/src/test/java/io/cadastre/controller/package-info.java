@NullMarked
package io.cadastre.controller;

import org.jspecify.annotations.NullMarked;
