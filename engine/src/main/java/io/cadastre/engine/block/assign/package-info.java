/// Chooses addresses: which pools serve a request, which blocks a host has or claims, and what a request gets of
/// them. An attempt whose commit was not answered is recognised or barred here.
@NullMarked
package io.cadastre.engine.block.assign;

import org.jspecify.annotations.NullMarked;
