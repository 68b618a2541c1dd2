package io.cadastre.registry;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Because;
import io.cadastre.engine.Outcome;
import io.cadastre.engine.block.BlockReason;
import io.cadastre.engine.hostlocal.HostLocalReason;
import io.cadastre.engine.nodecidr.NodeCidrReason;
import io.cadastre.engine.pool.PoolAllocation;
import io.cadastre.engine.pool.PoolReason;
import io.cadastre.engine.pool.PoolRelease;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Makes facts of records and, of those that have sentences, records again.
///
/// Reasons, and the outcomes of pools, are sealed records of their engines, and each knows its sentence. So
/// one is kept as the names and values of its components, and its sentence is made by the record that they
/// make: no table of templates has to be kept in step with the records, and a new one needs nothing here. Rules are
/// called by the names of the records: what was once written keeps its name.
final class RecordFacts {

    private static final String PACKAGE = "io.cadastre.";
    private static final String ENGINE = "io.cadastre.engine.";
    private static final String INSIDE_OF_AN_ENGINE = "^(io\\.cadastre\\.engine\\.[a-z]+\\.)(?:[a-z]+\\.)+";

    /// How deep values of values are recorded.
    private static final int DEPTH_MAX = 8;

    /// How a value that is not a record is read from its text.
    private static final Map<Class<?>, Function<String, Object>> TEXTS = Map.ofEntries(
            Map.entry(String.class, text -> text),
            Map.entry(int.class, Integer::valueOf),
            Map.entry(long.class, Long::valueOf),
            Map.entry(boolean.class, Boolean::valueOf),
            Map.entry(BigInteger.class, BigInteger::new),
            Map.entry(Duration.class, Duration::parse),
            Map.entry(Instant.class, Instant::parse),
            Map.entry(Address.class, Address::parse),
            Map.entry(Prefix.class, Prefix::parse));

    private static final Map<String, Class<?>> WITH_SENTENCES = new HashMap<>();

    static {
        List.of(
                        BlockReason.class,
                        HostLocalReason.class,
                        NodeCidrReason.class,
                        PoolReason.class,
                        PoolAllocation.class,
                        PoolRelease.class)
                .forEach(RecordFacts::learn);
    }

    /// The components of a record class, opened once.
    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            return Shape.of(type);
        }
    };

    private RecordFacts() {}

    private record Shape(String rule, List<RecordComponent> components, Constructor<?> maker) {

        static Shape of(Class<?> type) {
            try {
                var components = type.getRecordComponents();
                for (var component : components) {
                    component.getAccessor().setAccessible(true);
                }
                var maker = type.getDeclaredConstructor(
                        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
                maker.setAccessible(true);
                return new Shape(ruleOf(type), List.of(components), maker);
            } catch (NoSuchMethodException impossible) {
                throw new IllegalStateException("every record has this constructor", impossible);
            }
        }

        Object value(RecordComponent component, Object of) {
            try {
                return component.getAccessor().invoke(of);
            } catch (ReflectiveOperationException impossible) {
                throw new IllegalStateException("%s of %s".formatted(component, of), impossible);
            }
        }
    }

    private static void learn(Class<?> type) {
        if (type.isRecord()) {
            if (readable(type)) {
                WITH_SENTENCES.put(ruleOf(type), type);
            }
        } else {
            for (var one : type.getPermittedSubclasses()) {
                learn(one);
            }
        }
    }

    /// For example `block.BlockReason.PassedOver`. Packages inside of an engine are left out, so that an entry stays
    /// readable when a type moves from one to another.
    private static String ruleOf(Class<?> type) {
        var name = type.getName().replace('$', '.').replaceFirst(INSIDE_OF_AN_ENGINE, "$1");
        return name.startsWith(ENGINE)
                ? name.substring(ENGINE.length())
                : name.startsWith(PACKAGE) ? name.substring(PACKAGE.length()) : name;
    }

    static Fact fact(Object value) {
        var sentence = WITH_SENTENCES.containsKey(ruleOf(value.getClass())) ? Optional.<String>empty() : said(value);
        return sentence.<Fact>map(Fact.Text::new).orElseGet(() -> fact(value, DEPTH_MAX));
    }

    private static Optional<String> said(Object value) {
        return switch (value) {
            case Because because -> Optional.of(because.sentence());
            case Outcome outcome -> Optional.of(outcome.sentence());
            default -> Optional.empty();
        };
    }

    private static Fact fact(Object value, int depth) {
        if (depth == 0 || TEXTS.containsKey(value.getClass())) {
            return new Fact.Text(String.valueOf(value));
        }
        return switch (value) {
            case Enum<?> constant -> new Fact.Text(constant.name());
            case Optional<?> maybe ->
                new Fact.Several(maybe.stream().map(one -> fact(one, depth - 1)).toList());
            case Collection<?> several ->
                new Fact.Several(
                        several.stream().map(one -> fact(one, depth - 1)).toList());
            case Map<?, ?> map -> {
                var values = new LinkedHashMap<String, Fact>();
                map.forEach((name, one) -> values.put(String.valueOf(name), fact(one, depth - 1)));
                yield new Fact.Ruled("", values);
            }
            case Record made -> {
                var shape = SHAPES.get(made.getClass());
                var values = new LinkedHashMap<String, Fact>();
                for (var component : shape.components()) {
                    values.put(component.getName(), fact(shape.value(component, made), depth - 1));
                }
                yield new Fact.Ruled(shape.rule(), values);
            }
            default -> new Fact.Text(String.valueOf(value));
        };
    }

    /// The sentence of a reason or an outcome that this program knows.
    static Optional<String> sentence(Fact.Ruled fact) {
        var type = WITH_SENTENCES.get(fact.rule());
        if (type == null) {
            return Optional.empty();
        }
        try {
            return said(made(fact, type));
        } catch (ReflectiveOperationException | RuntimeException otherwise) {
            // Another version of the program wrote it, whose rule of that name has other values.
            return Optional.empty();
        }
    }

    private static Object made(Fact fact, Type type) throws ReflectiveOperationException {
        if (type instanceof ParameterizedType list) {
            var made = new ArrayList<Object>();
            for (var one : ((Fact.Several) fact).facts()) {
                made.add(made(one, list.getActualTypeArguments()[0]));
            }
            return list.getRawType() == Optional.class ? made.stream().findFirst() : made;
        }
        var wanted = (Class<?>) type;
        if (wanted.isEnum()) {
            return Arrays.stream(wanted.getEnumConstants())
                    .filter(constant -> ((Enum<?>) constant).name().equals(fact.words()))
                    .findFirst()
                    .orElseThrow();
        }
        var reading = TEXTS.get(wanted);
        return reading == null
                ? made((Fact.Ruled) fact, alternative(wanted, (Fact.Ruled) fact))
                : reading.apply(fact.words());
    }

    /// The record of a sealed type that the fact was made of; a record itself.
    private static Class<?> alternative(Class<?> type, Fact.Ruled fact) throws ReflectiveOperationException {
        return alternatives(type).stream()
                .filter(one ->
                        one.isRecord() && (one.equals(type) || ruleOf(one).equals(fact.rule())))
                .findFirst()
                .orElseThrow(() -> new ReflectiveOperationException("%s is not a %s".formatted(fact, type)));
    }

    private static List<Class<?>> alternatives(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses())
                        .flatMap(one -> alternatives(one).stream())
                        .toList()
                : List.of(type);
    }

    private static Object made(Fact.Ruled fact, Class<?> type) throws ReflectiveOperationException {
        var shape = SHAPES.get(type);
        var values = new ArrayList<Object>();
        for (var component : shape.components()) {
            var value = fact.values().get(component.getName());
            if (value == null) {
                throw new ReflectiveOperationException("%s has no %s".formatted(fact, component));
            }
            values.add(made(value, component.getGenericType()));
        }
        return shape.maker().newInstance(values.toArray());
    }

    /// Whether values of this type can be made of facts.
    private static boolean readable(Type type) {
        return switch (type) {
            case ParameterizedType list ->
                (list.getRawType() == List.class || list.getRawType() == Optional.class)
                        && readable(list.getActualTypeArguments()[0]);
            case Class<?> one
            when one.isRecord() && !TEXTS.containsKey(one) ->
                Arrays.stream(one.getRecordComponents()).allMatch(component -> readable(component.getGenericType()));
            case Class<?> one
            when one.isSealed() -> alternatives(one).stream().allMatch(other -> other.isRecord() && readable(other));
            case Class<?> one -> one.isEnum() || TEXTS.containsKey(one);
            default -> false;
        };
    }
}
