package io.cadastre.controller.watch;

import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import java.util.List;

/// What a control loop keeps of one kind of documents. All calls come from one thread, which serves the
/// handlers of other loops too: none of them waits for anything.
public interface KindHandler {

    /// The kind as operators call it, in the plural.
    String kind();

    /// The prefix of its keys. Handlers with the same prefix share a list and a watch.
    String prefix();

    /// All documents are reported anew from now on.
    void begin();

    /// These are among them.
    void fill(List<Document> documents);

    /// That was all.
    ///
    /// @param revision of the list: what changed later is reported later
    void complete(long revision);

    /// This has changed since.
    void change(Watch.Notice.Changed notice);

    /// Changes are not reported any more, until a new list begins.
    void lost();
}
