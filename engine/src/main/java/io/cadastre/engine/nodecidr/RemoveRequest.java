package io.cadastre.engine.nodecidr;

/// Asks that a node and what it holds be taken out of the register.
///
/// @param uid the node that is meant. Another one of the same name is left alone, and if the one meant
///     is gone it was removed already: so a caller that asks again because the answer was lost does not
///     take away what another node was given in between. Empty if the node has none, and then any is
///     meant.
public record RemoveRequest(String node, String uid) {

    /// Asks for the removal of whichever node has the name.
    public RemoveRequest(String node) {
        this(node, "");
    }
}
