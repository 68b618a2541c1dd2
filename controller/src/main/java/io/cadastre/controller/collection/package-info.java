/// Takes back the addresses and blocks that nobody uses, as Calico's controller does.
///
/// The law is [io.cadastre.engine.block.BlockCollector]. Here is what it looks at, which watches keep up
/// to date, and who acts on what it concludes, through the registrar like everybody else.
@NullMarked
package io.cadastre.controller.collection;

import org.jspecify.annotations.NullMarked;
