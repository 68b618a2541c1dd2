package io.cadastre.registry;

/// Changes do not fit into one commit.
public final class PageFullException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int fitting;

    public PageFullException(String reason) {
        super(reason);
        this.fitting = 0;
    }

    public PageFullException(int writes, int writesMax) {
        this(writes, writesMax, 0);
    }

    /// @param fitting how many of the changes, from the first, do fit
    public PageFullException(int writes, int writesMax, int fitting) {
        super("%d writes do not fit into one commit of at most %d".formatted(writes, writesMax));
        this.fitting = fitting;
    }

    /// How many of the changes, from the first, fit into one commit; zero if that is unknown.
    public int fitting() {
        return fitting;
    }
}
