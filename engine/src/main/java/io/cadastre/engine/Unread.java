package io.cadastre.engine;

/// An engine asked its view for something that nobody has read yet.
///
/// It is no failure: whoever opened the view reads what is lacking and asks the engine again. So an
/// engine decides as if it saw everything, and only what it needs is read.
public final class Unread extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient Lack lack;

    public Unread(Lack lack) {
        // No stack trace: this is thrown on the way to most first decisions.
        super(null, null, false, false);
        this.lack = lack;
    }

    /// Told when somebody asks, who seldom does.
    @Override
    public String getMessage() {
        return lack.sentence();
    }

    public Lack lack() {
        return lack;
    }
}
