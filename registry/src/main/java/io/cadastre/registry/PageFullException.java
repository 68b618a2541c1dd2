package io.cadastre.registry;

/// Changes do not fit into one commit.
public final class PageFullException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public PageFullException(String reason) {
        super(reason);
    }

    public PageFullException(int writes, int writesMax) {
        super("%d writes do not fit into one commit of at most %d".formatted(writes, writesMax));
    }
}
