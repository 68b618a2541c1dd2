/// What every simulation has: threads that a seed schedules, one store behind a network with faults, processes that
/// crash and are restarted, a history, and the comparison of ledger and store.
@NullMarked
package io.cadastre.verification.simulation.runtime;

import org.jspecify.annotations.NullMarked;
