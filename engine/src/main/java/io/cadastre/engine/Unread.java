package io.cadastre.engine;

import java.util.List;
import java.util.stream.Collectors;

/// An engine asked its view for something that nobody has read yet.
///
/// It is no failure: whoever opened the view reads what is lacking and asks the engine again. So an
/// engine decides as if it saw everything, and only what it needs is read. An engine that knows that it
/// will need several things lacks them all at once, so that they are read together.
public final class Unread extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient List<Lack> lacks;

    public Unread(Lack lack) {
        this(List.of(lack));
    }

    /// @param lacks at least one
    public Unread(List<? extends Lack> lacks) {
        // No stack trace: this is thrown on the way to most first decisions.
        super(null, null, false, false);
        this.lacks = List.copyOf(lacks);
    }

    /// Told when somebody asks, who seldom does.
    @Override
    public String getMessage() {
        return lacks.stream().map(Lack::sentence).collect(Collectors.joining(", and "));
    }

    /// The first thing that is lacking.
    public Lack lack() {
        return lacks.getFirst();
    }

    public List<Lack> lacks() {
        return lacks;
    }
}
