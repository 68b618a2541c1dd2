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
/// **Nothing is half told.** A decision is in the ledger by the same transaction where the store keeps the
/// ledger, and before the answer or shortly after it elsewhere. A save that stopped half way is a
/// [io.cadastre.registry.PartialCommit], and is recorded before the request is decided anew. While the ledger
/// cannot be written, nothing more is committed.
///
/// The [io.cadastre.registry.Ledger] is chained by hashes. Reasons and outcomes are kept as data
/// ([io.cadastre.registry.Fact]) and become sentences when they are read. It can be cut
/// ([io.cadastre.registry.LedgerTrim]), audited ([io.cadastre.registry.LedgerAudit]) and read as periods in
/// which a holder held a range ([io.cadastre.registry.HoldingPeriods]).
@NullMarked
package io.cadastre.registry;

import org.jspecify.annotations.NullMarked;
