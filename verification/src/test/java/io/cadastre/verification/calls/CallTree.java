package io.cadastre.verification.calls;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which types did work for one request, and which of them each was called by first.
///
/// @param callers by type, in the order in which they began to work
record CallTree(Map<String, String> callers) {

    /// The store and the system calls: what lies behind each counts as one type.
    private static final List<String> PORTS = List.of("io.cadastre.datastore", "io.cadastre.linux");

    private static final String ARITHMETIC = "io.cadastre.address.";

    static CallTree parse(List<String> lines) {
        var callers = new LinkedHashMap<String, String>();
        lines.forEach(line -> callers.put(line.substring(0, line.indexOf(' ')), line.substring(line.indexOf(' ') + 1)));
        return new CallTree(callers);
    }

    /// The types that a reader passes from the first to the ports and back, in order.
    ///
    /// Records, enums, sealed interfaces, exceptions and addresses are what is passed on, whatever they compute,
    /// and are not counted. Nested types and lambdas count with the type around them.
    List<String> walk() {
        return callers.keySet().stream()
                .filter(type -> !type.startsWith(ARITHMETIC))
                .filter(type -> !counting(type).equals(type) || !isData(type))
                .map(CallTree::counting)
                .distinct()
                .toList();
    }

    private static boolean isData(String name) {
        try {
            var type = Class.forName(name, false, CallTree.class.getClassLoader());
            return type.isRecord() || type.isEnum() || type.isSealed() || Throwable.class.isAssignableFrom(type);
        } catch (ClassNotFoundException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// The walk as an indented list: below each type those that it called first.
    String text() {
        var counted = Set.copyOf(walk());
        var text = new StringBuilder();
        walk().stream().filter(type -> parent(type, counted).isEmpty()).forEach(root -> append(root, 0, counted, text));
        return text.toString();
    }

    private void append(String type, int depth, Set<String> counted, StringBuilder text) {
        text.append("  ".repeat(depth)).append(type).append('\n');
        walk().stream()
                .filter(other -> parent(other, counted).equals(type))
                .forEach(called -> append(called, depth + 1, counted, text));
    }

    /// The nearest caller that counts, or nothing for a root. A type that was called by a later one is a root, too.
    private String parent(String type, Set<String> counted) {
        var order = List.copyOf(walk());
        Set<String> passed = new LinkedHashSet<>();
        var caller = counting(callerOf(type));
        // Ends: no caller is passed twice.
        while (passed.add(caller)) {
            if (counted.contains(caller) && order.indexOf(caller) < order.indexOf(type)) {
                return caller;
            }
            caller = counting(callerOf(caller));
        }
        return "";
    }

    /// Of a port, the caller of the type by which it was entered.
    private String callerOf(String type) {
        return callers.entrySet().stream()
                .filter(call -> counting(call.getKey()).equals(type))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("-");
    }

    /// The type itself, or the port that it lies behind.
    private static String counting(String type) {
        return PORTS.stream()
                .filter(port -> type.startsWith(port + "."))
                .findFirst()
                .orElse(type);
    }
}
