/// The registrar, the books it writes in, and the ledger of what was decided.
///
/// **One loop writes.** [io.cadastre.registry.Registrar] opens a [io.cadastre.registry.Book], asks an engine
/// on the page's view, saves the changes by compare-and-set and records the decision. After a conflict or a
/// lost answer it starts again from the top, on a new page. Commands, agents and controllers make requests;
/// none of them writes a document of an engine by itself.
///
/// **Requests are combined.** Those that arrive while a commit is under way are decided one after another,
/// each on the view that the ones before it leave, and saved as one list. A request whose engine fails, fails
/// alone; a batch that cannot be settled is halved until one request is left.
///
/// **Engines do not read.** An engine that needs a document which the page has not read throws
/// [io.cadastre.engine.NotReadException] with everything that is missing. The page reads it, together with
/// what the later requests of the batch are going to miss, and the engine starts over.
///
/// **A lost answer is not a failure.** A commit whose answer is lost may have been applied, may yet be applied,
/// and where a store writes one document after another may have been applied in part. Five things are done about
/// it, each in one place:
///
/// 1. The store answers [io.cadastre.datastore.Commit.Unknown] and does not try again.
/// 2. [io.cadastre.registry.Page#findApplied()] looks whether every write is there as the page wrote it. Then the
///    commit is done after all, and nothing of what follows is needed.
/// 3. What was certainly written before a save stopped half way is a
///    [io.cadastre.registry.PartialCommit]. It is in the ledger before anything is decided anew.
/// 4. The registrar opens a new page and asks the engine again, with the decisions whose answers were lost. The
///    engine recognises what one of them gave and answers the same; what has not arrived it bars, by rewriting a
///    document that the late commit would have to find unchanged.
/// 5. An engine that finds a request served changes nothing, so no change would grant what the lost attempt
///    granted. `LostAttempts` finds it on the new page, and the entry of the new decision records it.
///
/// A request that ends in a failure after an answer was lost is *perhaps done*
/// ([io.cadastre.registry.UnsettledException#perhapsDone()]), and asking again is safe.
///
/// **The ledger leaves out nothing.** A decision is in the ledger by the same transaction where the store keeps the
/// ledger, and before the answer or shortly after it elsewhere. While the ledger cannot be written, nothing more is
/// committed.
///
/// The loop itself is in `Registrar`; `RequestQueue` says whose thread runs it, `BatchDecider` asks the engines
/// and reads what they miss, `BatchRecorder` writes the ledger, `ConflictBackoff` keeps rivals apart, and
/// `PendingRequest` is one request on its way.
///
/// The [io.cadastre.registry.Ledger] is chained by hashes. Reasons and outcomes are kept as data
/// ([io.cadastre.registry.Fact]) and become sentences when they are read. It can be cut
/// ([io.cadastre.registry.LedgerTrim]), audited ([io.cadastre.registry.LedgerAudit]) and read as periods in
/// which a holder held a range ([io.cadastre.registry.HoldingPeriods]).
@NullMarked
package io.cadastre.registry;

import org.jspecify.annotations.NullMarked;
