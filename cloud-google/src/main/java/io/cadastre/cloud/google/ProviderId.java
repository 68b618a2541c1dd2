package io.cadastre.cloud.google;

import java.util.Optional;
import java.util.regex.Pattern;

/// The name of a machine: `gce://PROJECT/ZONE/NAME`.
record ProviderId(String project, String zone, String name) {

    /// What may stand in the path of a request.
    private static final String PART = "([A-Za-z0-9][A-Za-z0-9._:-]{0,99})";

    private static final Pattern FORM = Pattern.compile("gce://" + PART + "/" + PART + "/" + PART);

    /// Reads one, or is empty if it is of another form.
    static Optional<ProviderId> parse(String text) {
        var parts = FORM.matcher(text);
        return parts.matches()
                ? Optional.of(new ProviderId(parts.group(1), parts.group(2), withoutDomain(parts.group(3))))
                : Optional.empty();
    }

    /// A machine may have been registered by the name of its host.
    private static String withoutDomain(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }

    @Override
    public String toString() {
        return "%s in zone %s".formatted(name, zone);
    }
}
