package io.cadastre.engine.demand;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// How many addresses of each pool a node allocates ahead. The same for each family.
public record PreAllocations(SortedMap<String, Integer> byPool) {

    private static final int DEFAULT = 8;

    public PreAllocations {
        byPool = Collections.unmodifiableSortedMap(new TreeMap<>(byPool));
    }

    /// Those of a node that is configured with nothing.
    public static PreAllocations of(String defaultPool) {
        return new PreAllocations(new TreeMap<>(Collections.singletonMap(defaultPool, DEFAULT)));
    }

    /// Reads `pool=n[,pool=n]`; what is written replaces the default wholly.
    ///
    /// @throws IllegalArgumentException naming the part that is wrong
    public static PreAllocations parse(String text, String defaultPool) {
        if (text.isBlank()) {
            return of(defaultPool);
        }
        var byPool = new TreeMap<String, Integer>();
        for (var part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            var pool = equals < 0 ? "" : part.substring(0, equals).strip();
            if (pool.isEmpty()) {
                throw new IllegalArgumentException("'%s' is not POOL=NUMBER".formatted(part));
            }
            if (byPool.put(pool, count(part, part.substring(equals + 1).strip())) != null) {
                throw new IllegalArgumentException("pool '%s' occurs twice in '%s'".formatted(pool, text));
            }
        }
        return new PreAllocations(byPool);
    }

    private static int count(String part, String number) {
        try {
            int count = Integer.parseInt(number);
            if (count >= 0) {
                return count;
            }
        } catch (NumberFormatException _) {
            // Reported below, as for a negative number.
        }
        throw new IllegalArgumentException("'%s' does not end with a number from 0 on".formatted(part));
    }

    /// That of a pool; none if it is not listed.
    public int count(String pool) {
        return byPool.getOrDefault(pool, 0);
    }
}
