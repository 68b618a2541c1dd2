package io.cadastre.wire.cni;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Versions whose results have the same form.
enum ResultFamily {
    /// One address per family, each with its own routes.
    OLDEST,
    /// Lists of interfaces, addresses and routes; each address says its family.
    MIDDLE,
    /// The same with more about interfaces.
    NEWEST;

    private List<String> versions() {
        return switch (this) {
            case OLDEST -> List.of("0.1.0", "0.2.0");
            case MIDDLE -> List.of("0.3.0", "0.3.1", "0.4.0");
            case NEWEST -> List.of("1.0.0", "1.1.0");
        };
    }

    static Optional<ResultFamily> find(String version) {
        return Arrays.stream(values())
                .filter(family -> family.versions().contains(version))
                .findFirst();
    }

    /// The form of this version.
    ///
    /// @throws CniException if there is no such version
    static ResultFamily of(String version) {
        return find(version)
                .orElseThrow(() ->
                        new CniException(CniCode.INTERNAL, "unsupported CNI result version " + GoText.quote(version)));
    }

    void check(String version) {
        if (!versions().contains(version)) {
            throw new CniException(
                    CniCode.INTERNAL,
                    "result type supports %s but unmarshalled CNIVersion is %s"
                            .formatted(versionsInMessages(), GoText.quote(version)));
        }
    }

    /// The oldest form also stands for no version at all, which is in the list of the reference code.
    private String versionsInMessages() {
        var list = GoText.list(versions());
        return this == OLDEST ? list.replace("[", "[ ") : list;
    }
}
