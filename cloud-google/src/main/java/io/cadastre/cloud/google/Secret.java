package io.cadastre.cloud.google;

/// A text that is not to be shown.
public final class Secret {

    private final String text;

    Secret(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
