/// What every simulation has: threads that a seed schedules, one store behind a network with faults, processes that
/// crash and are restarted, a history, and the comparison of ledger and store.
///
/// A simulation adds what differs from dialect to dialect: a plan drawn from the seed, what a process opens in each
/// life ([Simulation#startProcess]), what a thread asks next ([ThreadRequests]), what a [Reply] means to its
/// witness, and the check after each commit ([Simulation#observe]). The order in which these draw from the dice
/// is a part of the history of a seed.
@NullMarked
package io.cadastre.verification.simulation.runtime;

import org.jspecify.annotations.NullMarked;
