package io.cadastre.engine.pool.select;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/// A pattern for names, as shells have them: `*` is any run of characters, `?` one, `[a-c]` one of some,
/// `[^a-c]` one of all others, and `\` takes the meaning from what follows it.
///
/// Matched: `Match` of [Go's path package](https://pkg.go.dev/path#Match), which refuses a class that is not
/// closed or has nothing in it.
public final class Glob {

    /// One character or, if it repeats, any run of such characters.
    private record Step(IntPredicate fits, boolean repeats) {}

    /// A pattern is not one.
    static final class MalformedException extends Exception {

        private static final long serialVersionUID = 1;

        MalformedException() {
            super("syntax error in pattern", null, false, false);
        }
    }

    private final List<Step> steps;

    private Glob(List<Step> steps) {
        this.steps = steps;
    }

    /// Whether a text is meant to be a pattern.
    static boolean isPattern(String text) {
        return text.indexOf('*') >= 0 || text.indexOf('?') >= 0 || (text.indexOf('[') >= 0 && text.indexOf(']') >= 0);
    }

    public static Glob parse(String pattern) throws MalformedException {
        return new Glob(new Parser(pattern).steps());
    }

    public boolean matches(String name) {
        // Which steps may come next, after each character: the number of steps bounds the work.
        var open = new boolean[steps.size() + 1];
        open[0] = true;
        skipRuns(open);
        for (int at = 0; at < name.length(); at++) {
            var next = new boolean[steps.size() + 1];
            for (int step = 0; step < steps.size(); step++) {
                if (open[step] && steps.get(step).fits().test(name.charAt(at))) {
                    next[steps.get(step).repeats() ? step : step + 1] = true;
                }
            }
            open = next;
            skipRuns(open);
        }
        return open[steps.size()];
    }

    /// A run may be empty.
    private void skipRuns(boolean[] open) {
        for (int step = 0; step < steps.size(); step++) {
            if (open[step] && steps.get(step).repeats()) {
                open[step + 1] = true;
            }
        }
    }

    private static final class Parser {

        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        List<Step> steps() throws MalformedException {
            var steps = new ArrayList<Step>();
            while (at < text.length()) {
                switch (text.charAt(at)) {
                    case '*' -> {
                        at++;
                        steps.add(new Step(_ -> true, true));
                    }
                    case '?' -> {
                        at++;
                        steps.add(new Step(_ -> true, false));
                    }
                    case '[' -> {
                        at++;
                        steps.add(new Step(characterClass(), false));
                    }
                    default -> {
                        int wanted = character();
                        steps.add(new Step(found -> found == wanted, false));
                    }
                }
            }
            return List.copyOf(steps);
        }

        private IntPredicate characterClass() throws MalformedException {
            boolean negated = at < text.length() && text.charAt(at) == '^';
            if (negated) {
                at++;
            }
            IntPredicate fits = _ -> false;
            boolean first = true;
            while (first || at >= text.length() || text.charAt(at) != ']') {
                first = false;
                int from = member();
                int to = from;
                if (at < text.length() && text.charAt(at) == '-') {
                    at++;
                    to = member();
                }
                int last = to;
                fits = fits.or(found -> from <= found && found <= last);
            }
            at++;
            return negated ? fits.negate() : fits;
        }

        private int member() throws MalformedException {
            if (at >= text.length() || text.charAt(at) == '-' || text.charAt(at) == ']') {
                throw new MalformedException();
            }
            return character();
        }

        private int character() throws MalformedException {
            if (text.charAt(at) == '\\') {
                at++;
                if (at == text.length()) {
                    throw new MalformedException();
                }
            }
            return text.charAt(at++);
        }
    }
}
