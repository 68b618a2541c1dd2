/// Resources that are applied, shown and deleted, and documents as peers write them.
@NullMarked
package io.cadastre.cli.resource;

import org.jspecify.annotations.NullMarked;
