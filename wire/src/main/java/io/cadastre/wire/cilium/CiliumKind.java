package io.cadastre.wire.cilium;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.wire.book.ResourceKind;
import io.cadastre.wire.json.GoStruct.Spelling;
import java.util.List;

/// A kind of Cilium's objects that users write, with its rules.
public interface CiliumKind extends ResourceKind {

    @Override
    default Spelling spelling() {
        return Spelling.EXACT;
    }

    default String key(String name) {
        return traits().keys().getFirst() + name;
    }

    /// The rules that a new object breaks.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if a field has the wrong type
    List<String> broken(CiliumStock stock, String name, ObjectNode json);

    /// The rules that a changed object breaks.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if a field has the wrong type
    List<String> broken(CiliumStock stock, String name, ObjectNode json, ObjectNode before);

    /// As the API server names an object in errors.
    @Override
    default String named(String name) {
        return "%s.%s \"%s\"".formatted(word(), CiliumKeys.GROUP, name);
    }
}
