package io.cadastre.wire.calico.crd;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/// In which of its two API groups Calico keeps its objects. A cluster uses one of them.
public enum ApiGroup {
    /// The older group, whose objects carry their metadata in an annotation.
    CRD_V1("crd.projectcalico.org", "v1"),

    /// The newer group, whose objects are what users see.
    PROJECT_V3("projectcalico.org", "v3");

    /// The variable of the environment that decides.
    public static final String VARIABLE = "CALICO_API_GROUP";

    private final String group;
    private final String version;

    ApiGroup(String group, String version) {
        this.group = group;
        this.version = version;
    }

    public String group() {
        return group;
    }

    public String version() {
        return version;
    }

    /// As objects have it: `crd.projectcalico.org/v1`.
    public String apiVersion() {
        return group + "/" + version;
    }

    /// The group to use.
    ///
    /// @param configured the value of [#VARIABLE]
    /// @param served the groups that the API server has; empty if it could not be asked
    public static ApiGroup choose(Optional<String> configured, Collection<String> served) {
        if (configured.isPresent() && !configured.get().isEmpty()) {
            return configured.get().toLowerCase(Locale.ROOT).equals(PROJECT_V3.apiVersion()) ? PROJECT_V3 : CRD_V1;
        }
        return served.contains(PROJECT_V3.group) && !served.contains(CRD_V1.group) ? PROJECT_V3 : CRD_V1;
    }
}
