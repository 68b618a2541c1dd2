/// Deterministic simulation: many actors, one seed, one history.
///
/// The actors run the real registrar, books and engines on the store in memory. Only one of them runs
/// at a time; which one, and which fault strikes it, is drawn from the seed at every store call. After
/// each event the map is surveyed and what callers were told is compared with what is so.
@NullMarked
package io.cadastre.verification.simulation;

import org.jspecify.annotations.NullMarked;
