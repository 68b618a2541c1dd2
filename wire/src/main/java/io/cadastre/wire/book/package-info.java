/// What the books of all dialects have in common: documents that were read become one commit
/// ([io.cadastre.wire.book.WriteSet]), writers that take new ranges notice each other
/// ([io.cadastre.wire.book.RangeAnnouncement]), and a kind of documents says how users see it
/// ([io.cadastre.wire.book.ResourceKind]).
@NullMarked
package io.cadastre.wire.book;

import org.jspecify.annotations.NullMarked;
