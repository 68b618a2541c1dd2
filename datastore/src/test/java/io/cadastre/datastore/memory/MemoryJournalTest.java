package io.cadastre.datastore.memory;

import io.cadastre.datastore.Journal;
import io.cadastre.datastore.JournalContract;

class MemoryJournalTest extends JournalContract {

    @Override
    protected Journal open() {
        return new MemoryJournal();
    }
}
