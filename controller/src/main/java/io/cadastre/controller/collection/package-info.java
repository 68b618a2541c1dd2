/// Takes back the addresses and blocks that are not used, as Calico's controller does.
///
/// The rules are in [io.cadastre.engine.block.collect.BlockCollector]. This package has their input, which watches
/// keep up to date, and acts on what they conclude, through the registrar like every other writer.
@NullMarked
package io.cadastre.controller.collection;

import org.jspecify.annotations.NullMarked;
