/// Tests of the node CIDR law. Ids such as CS-42 and NC-07 are those of the vectors and scenarios.
@NullMarked
package io.cadastre.engine.nodecidr;

import org.jspecify.annotations.NullMarked;
