package io.cadastre.engine.block.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.engine.block.selector.Selector.All;
import io.cadastre.engine.block.selector.Selector.And;
import io.cadastre.engine.block.selector.Selector.Comparison;
import io.cadastre.engine.block.selector.Selector.Has;
import io.cadastre.engine.block.selector.Selector.In;
import io.cadastre.engine.block.selector.Selector.Not;
import io.cadastre.engine.block.selector.Selector.NotIn;
import io.cadastre.engine.block.selector.Selector.Operator;
import io.cadastre.engine.block.selector.Selector.Or;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectorTest {

    @Test
    void conjunctionBindsTighterThanDisjunction() {
        var selector = Selector.parse("has(a) || has(b) && !has(c)");

        assertThat(selector)
                .isEqualTo(new Or(List.of(new Has("a"), new And(List.of(new Has("b"), new Not(new Has("c")))))));
    }

    @Test
    void bracketsThatChangeNothingLeaveNoTrace() {
        var selector = Selector.parse("((((has(a)))))");

        assertThat(selector).isEqualTo(new Has("a"));
    }

    @Test
    void negationCoversTheWholeCondition() {
        var selector = Selector.parse("!a starts with 'x'");

        assertThat(selector).isEqualTo(new Not(new Comparison("a", Operator.STARTS_WITH, "x")));
    }

    @Test
    void wordsOfOperatorsMayBeFarApartOrTogether() {
        var together = Selector.parse("a notin {'x'}");
        var apart = Selector.parse("a not \t  in{'x'}");

        assertThat(together).isEqualTo(new NotIn("a", List.of("x"))).isEqualTo(apart);
    }

    @Test
    void valuesOfASetAreSortedByTheirUtf8BytesAndDiffer() {
        var privateUse = "\ue000";
        var beyondTheBasicPlane = "\ud83d\ude00";

        var set = new In("a", List.of(beyondTheBasicPlane, "b", privateUse, "", "b"));

        assertThat(set.values()).containsExactly("", "b", privateUse, beyondTheBasicPlane);
    }

    @Test
    void doubleNegationInBracketsIsKeptButNotWhenReadAgain() {
        var selector = Selector.parse("!(!(has(a)))");

        assertThat(selector).isEqualTo(new Not(new Not(new Has("a"))));
        assertThat(selector.canonical()).isEqualTo("!!has(a)");
        assertThat(Selector.parse(selector.canonical())).isEqualTo(new Has("a"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "has(; expected identifier",
                "has(\u00e9); expected identifier",
                "all(; no closing ')' after all(",
                "global(x); no closing ')' after global(",
                "(has(a) has(b)); expected )",
                "a in {; expected }",
                "a not in 'x'; expected set literal",
                "a not x; expected operator after label \"a\"",
                "a starts 'x'; expected operator after label \"a\"",
                "a containsx 'x'; expected operator after label \"a\"",
                "a in-x {'x'}; expected operator after label \"a\"",
                "a \u00e9; expected operator after label \"a\"",
                "a == 'x' %; expected identifier",
                "a b c == 'x'; expected operator after label \"a\"",
                "a ! b; expected == or != not: TokNot()",
                "a has(b); expected operator after label \"a\"",
                "a, b == 'c'; expected == or != not: TokComma()",
                "a 'x'; expected == or != not: TokStringLiteral(x)",
                "a }; expected == or != not: TokRBrace()",
                "== 'x'; unexpected token: TokEq()",
                "!= 'x'; unexpected token: TokNe()",
                "{'x'}; unexpected token: TokLBrace()",
                "}; unexpected token: TokRBrace()",
                ",; unexpected token: TokComma()",
                "|| has(a); unexpected token: TokOr()",
                "has(a) contains; unexpected content at end of selector [TokLabel(contains)" + " TokEOF()]",
                "all() has(b) all() global(); unexpected content at end of selector"
                        + " [TokHas(b) TokAll() TokGlobal() TokEOF()]",
                "all() a in {'x'} b not in c contains d starts with e ends with;"
                        + " unexpected content at end of selector [TokLabel(a) TokIn() TokLBrace()"
                        + " TokStringLiteral(x) TokRBrace() TokLabel(b) TokNotIn() TokLabel(c)"
                        + " TokContains() TokLabel(d) TokStartsWith() TokLabel(e) TokEndsWith()"
                        + " TokEOF()]",
                "all()); unexpected content at end of selector [TokRParen() TokEOF()]",
            })
    void errorsHaveCalicosWords(String text, String message) {
        assertThatThrownBy(() -> Selector.parse(text))
                .isInstanceOf(SelectorSyntaxException.class)
                .hasMessage(message);
    }

    @Test
    void labelInBracketsIsBoundedToo() {
        var longest = "a".repeat(512);

        assertThat(Selector.parse("has(%s)".formatted(longest))).isEqualTo(new Has(longest));
        assertThatThrownBy(() -> Selector.parse("has(%sa)".formatted(longest)))
                .hasMessage("label too long: %sa".formatted(longest));
    }

    @Test
    void labelNamesThatCannotBeWrittenAreRefused() {
        assertThatThrownBy(() -> new Has("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Has("a b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a b is not the name of a label");
        assertThatThrownBy(() -> new In("\u00e9", List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void valuesThatCannotBeWrittenAreRefused() {
        assertThatThrownBy(() -> new Comparison("a", Operator.EQUAL, "'\""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a value with both quotes cannot be written: '\"");
        assertThatThrownBy(() -> new NotIn("a", List.of("'\""))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void chainOfOneIsRefused() {
        assertThatThrownBy(() -> new And(List.of(new All())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a chain has at least two operands, not 1");
        assertThatThrownBy(() -> new Or(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void longTextIsReadUpToTheBound() {
        var longest = "a == '%s'".formatted("x".repeat(Selector.LENGTH_MAX - 7));

        assertThat(longest).hasSize(Selector.LENGTH_MAX);
        assertThat(Selector.parse(longest)).isInstanceOf(Comparison.class);
        assertThatThrownBy(() -> Selector.parse(longest + " "))
                .isInstanceOf(SelectorSyntaxException.class)
                .hasMessage("selector is longer than 65536 characters");
    }

    @Test
    void bracketsAreReadUpToTheBound() {
        var deepest = "(".repeat(64) + "has(a)" + ")".repeat(64);

        assertThat(Selector.parse(deepest)).isEqualTo(new Has("a"));
        assertThat(Selector.parse(deepest + " && " + deepest)).isInstanceOf(And.class);
        assertThatThrownBy(() -> Selector.parse("(" + deepest + ")"))
                .isInstanceOf(SelectorSyntaxException.class)
                .hasMessage("selector is nested deeper than 64 brackets");
    }

    @Test
    void bracketsThatOnlyTheCanonicalTextHasCountToo() {
        var deepest = "has(a)||all()&&(".repeat(32) + "has(a)" + ")".repeat(32);

        var selector = Selector.parse(deepest);

        assertThat(Selector.parse(selector.canonical())).isEqualTo(selector);
        assertThatThrownBy(() -> Selector.parse("all() && (%s)".formatted(deepest)))
                .isInstanceOf(SelectorSyntaxException.class)
                .hasMessage("selector is nested deeper than 64 brackets");
    }

    @Test
    void hostileNestingIsRefusedAtTheBoundWhateverItIsMadeOf() {
        int times = Selector.LENGTH_MAX / 2;

        assertThatThrownBy(() -> Selector.parse("(".repeat(Selector.LENGTH_MAX)))
                .hasMessage("selector is nested deeper than 64 brackets");
        assertThatThrownBy(() -> Selector.parse("!(".repeat(times)))
                .hasMessage("selector is nested deeper than 64 brackets");
        assertThat(Selector.parse("!".repeat(times) + "all()")).isEqualTo(new All());
    }

    @Test
    void deepestSelectorFitsASmallStack() throws Exception {
        var text = "has(a)||!(".repeat(63) + "has(a)&&all()" + ")".repeat(63);
        var everyWalk = new FutureTask<>(() -> {
            var selector = Selector.parse(text);
            var twin = Selector.parse(selector.canonical());
            return selector.equals(twin)
                    && selector.hashCode() == twin.hashCode()
                    && selector.matches(Map.of("b", "c"));
        });

        new Thread(null, everyWalk, "small stack", 512 * 1024L).start();

        assertThat(everyWalk.get(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void longChainsAreFlat() {
        var text = String.join(" || ", Collections.nCopies(5000, "has(a)"));

        var selector = Selector.parse(text);

        assertThat(selector.matches(Map.of("a", ""))).isTrue();
        assertThat(selector.matches(Map.of("b", ""))).isFalse();
        assertThat(selector.canonical()).isEqualTo("(" + text + ")");
    }

    @Test
    void textOfADocumentIsReadOnceAndKept() {
        var readable = SelectorText.of("a=='b'");
        var malformed = SelectorText.of("a b");

        assertThat(readable).isEqualTo(new SelectorText.Parsed("a=='b'", new Comparison("a", Operator.EQUAL, "b")));
        assertThat(malformed).isEqualTo(new SelectorText.Malformed("a b", "expected operator after label \"a\""));
    }
}
