package io.cadastre.cloud.google;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// The keys and values of a configuration file in the form of `git config`, which kube-controller-manager reads too.
///
/// A line is empty, a section `[global]`, or a variable `key = value`; a comment begins with `#` or `;`. A value may
/// be in quotes, in which `\"` and `\\` stand for `"` and `\`; a variable without `=` is `true`. Section and key
/// are read in any letter case.
///
/// @param name of the file, for errors
/// @param variables in their order
record ConfigFile(String name, List<Variable> variables) {

    private static final String SECTION = "global";

    private static final Pattern SECTION_LINE = Pattern.compile("\\[\\s*([^\\]\\s]+)\\s*\\]\\s*([#;].*)?");
    private static final Pattern VARIABLE_LINE = Pattern.compile("([A-Za-z][A-Za-z0-9-]*)\\s*(=(.*)|[#;].*)?");

    ConfigFile {
        variables = List.copyOf(variables);
    }

    /// @param key in lower case
    record Variable(String key, String value, int line) {}

    /// @throws CloudConfigException if it is not of this form
    static ConfigFile parse(String name, String text) {
        var variables = new ArrayList<Variable>();
        boolean inSection = false;
        int number = 0;
        for (var raw : text.lines().toList()) {
            number++;
            var line = raw.strip();
            if (line.isEmpty() || line.startsWith("#") || line.startsWith(";")) {
                continue;
            }
            if (line.startsWith("[")) {
                checkSection(name, number, line);
                inSection = true;
                continue;
            }
            var variable = variable(name, number, line);
            if (!inSection) {
                throw CloudConfigException.at(
                        name, number, "the key %s stands before the section [%s]".formatted(variable.key(), SECTION));
            }
            variables.add(variable);
        }
        return new ConfigFile(name, variables);
    }

    private static void checkSection(String name, int number, String line) {
        var section = SECTION_LINE.matcher(line);
        if (!section.matches() || !section.group(1).toLowerCase(Locale.ROOT).equals(SECTION)) {
            throw CloudConfigException.at(
                    name, number, "the only section is [%s], and this is %s".formatted(SECTION, line));
        }
    }

    private static Variable variable(String name, int number, String line) {
        var parts = VARIABLE_LINE.matcher(line);
        if (!parts.matches()) {
            throw CloudConfigException.at(name, number, "this is neither a section, a comment nor key = value");
        }
        var key = parts.group(1).toLowerCase(Locale.ROOT);
        var value = parts.group(3);
        return new Variable(
                key,
                value == null
                        ? "true"
                        : value(value.strip())
                                .orElseThrow(() -> CloudConfigException.at(
                                        name,
                                        number,
                                        "the value of %s has a quote or a \\ out of place".formatted(key))),
                number);
    }

    private static Optional<String> value(String text) {
        var value = new StringBuilder();
        boolean quoted = false;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\\') {
                at++;
                if (at == text.length() || (text.charAt(at) != '"' && text.charAt(at) != '\\')) {
                    return Optional.empty();
                }
                value.append(text.charAt(at));
            } else if (!quoted && (c == '#' || c == ';')) {
                break;
            } else {
                value.append(c);
            }
        }
        return quoted ? Optional.empty() : Optional.of(value.toString().strip());
    }
}
