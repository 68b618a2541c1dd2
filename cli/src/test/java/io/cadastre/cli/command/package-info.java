/// How commands read values, and how they do several things at once.
@NullMarked
package io.cadastre.cli.command;

import org.jspecify.annotations.NullMarked;
