/// Deterministic simulation: many actors, one seed, one history.
///
/// The actors run the real registrar, books and engines on the store in memory. Only one of them runs at a
/// time; which one, and which fault it meets, is drawn from the seed at every store call. After each event
/// the map is surveyed and the answers to callers are compared with the state.
///
/// Here are the dialects, and those simulations that are one file. The others have packages of their own; all stand on
/// [io.cadastre.verification.simulation.runtime].
@NullMarked
package io.cadastre.verification.simulation;

import org.jspecify.annotations.NullMarked;
