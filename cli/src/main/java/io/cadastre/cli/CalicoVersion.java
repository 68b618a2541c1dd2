package io.cadastre.cli;

import io.cadastre.datastore.Datastore;

import java.util.Map;

/// The version of Calico that this program stands in for, as the operator says; empty if he does not.
///
/// Our own version says nothing about that: both count for themselves. So a check is made, and a report
/// carries a version, only where somebody knows which one is expected.
record CalicoVersion(String text) {

    static final String VARIABLE = "CALICO_VERSION";

    static CalicoVersion of(Map<String, String> environment) {
        return new CalicoVersion(environment.getOrDefault(VARIABLE, ""));
    }

    /// Ends a command if the cluster runs another version.
    void check(Datastore store) {
        if (text.isEmpty()) {
            return;
        }
        var cluster = ClusterFacts.fetch(store).calicoVersion();
        if (!cluster.isEmpty() && !plain(cluster).equals(plain(text))) {
            throw new RefusedException(
                    "version mismatch.\nClient Version:   %s\nCluster Version:  %s\nUse --allow-version-mismatch to override"
                            .formatted(text, cluster));
        }
    }

    /// Without the letter in front and what follows a dash.
    private static String plain(String version) {
        var number = version.startsWith("v") ? version.substring(1) : version;
        int dash = number.indexOf('-');
        return dash < 0 ? number : number.substring(0, dash);
    }
}
