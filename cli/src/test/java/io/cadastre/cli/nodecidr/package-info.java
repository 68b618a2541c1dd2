/// The commands under `node-cidr`, and what they say about their flags.
@NullMarked
package io.cadastre.cli.nodecidr;

import org.jspecify.annotations.NullMarked;
