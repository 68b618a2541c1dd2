package io.cadastre.wire.spiderpool.objects;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Which keys and values labels may have, in the words of the API server.
final class LabelRules {

    private static final int NAME_LENGTH_MAX = 63;
    private static final int PREFIX_LENGTH_MAX = 253;

    private static final String NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String VALUE = "(" + NAME + ")?";
    private static final String DOMAIN_PART = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String DOMAIN = DOMAIN_PART + "(\\." + DOMAIN_PART + ")*";

    private static final Pattern NAME_PATTERN = Pattern.compile(NAME);
    private static final Pattern VALUE_PATTERN = Pattern.compile(VALUE);
    private static final Pattern DOMAIN_PATTERN = Pattern.compile(DOMAIN);

    private static final String NOT_A_NAME =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '%s')"
                    .formatted(NAME);
    private static final String NOT_A_VALUE =
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '%s')"
                    .formatted(VALUE);
    private static final String NOT_A_DOMAIN =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '%s')"
                    .formatted(DOMAIN);

    private LabelRules() {}

    /// What is wrong with a key: a name, and perhaps the domain of its owner before it.
    static List<String> keyFaults(String key) {
        var parts = key.split("/", -1);
        if (parts.length > 2) {
            return List.of(
                    "a qualified name %s with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
                            .formatted(NOT_A_NAME));
        }
        var faults = new ArrayList<String>();
        if (parts.length == 2) {
            prefixFaults(parts[0]).forEach(fault -> faults.add("prefix part " + fault));
        }
        nameFaults(parts[parts.length - 1]).forEach(fault -> faults.add("name part " + fault));
        return faults;
    }

    private static List<String> prefixFaults(String prefix) {
        if (prefix.isEmpty()) {
            return List.of("must be non-empty");
        }
        var faults = new ArrayList<>(tooLong(prefix, PREFIX_LENGTH_MAX));
        if (!DOMAIN_PATTERN.matcher(prefix).matches()) {
            faults.add(NOT_A_DOMAIN);
        }
        return faults;
    }

    private static List<String> nameFaults(String name) {
        var faults = new ArrayList<>(name.isEmpty() ? List.of("must be non-empty") : tooLong(name, NAME_LENGTH_MAX));
        if (!NAME_PATTERN.matcher(name).matches()) {
            faults.add(NOT_A_NAME);
        }
        return faults;
    }

    /// What is wrong with a value.
    static List<String> valueFaults(String value) {
        var faults = new ArrayList<>(tooLong(value, NAME_LENGTH_MAX));
        if (!VALUE_PATTERN.matcher(value).matches()) {
            faults.add(NOT_A_VALUE);
        }
        return faults;
    }

    private static List<String> tooLong(String text, int lengthMax) {
        return text.length() > lengthMax
                ? List.of("must be no more than %d characters".formatted(lengthMax))
                : List.of();
    }
}
