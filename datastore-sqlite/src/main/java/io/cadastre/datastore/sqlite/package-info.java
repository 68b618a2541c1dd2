/// The embedded store: one SQLite file, shared by any number of processes.
@NullMarked
package io.cadastre.datastore.sqlite;

import org.jspecify.annotations.NullMarked;
