package io.cadastre.cli.session;

import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.datastore.Datastore;
import java.util.Map;
import java.util.regex.Pattern;

/// The version of Calico that this program is compatible with.
///
/// It is unrelated to the version of Cadastre: it is the newest release whose documents are implemented, or one
/// that the operator names.
///
/// @param text as Calico writes it
/// @param agreement how a cluster's version must compare to it
public record CalicoVersion(String text, Agreement agreement) {

    static final String VARIABLE = "CALICO_VERSION";

    /// The newest release whose documents are implemented.
    static final String IMPLEMENTED = "v3.34.0";

    private static final Pattern NUMBER = Pattern.compile("([0-9]{1,9})\\.([0-9]{1,9})(\\..*)?");

    /// Which versions of a cluster are accepted.
    enum Agreement {
        /// The same version, as calicoctl requires.
        EQUAL,

        /// The same or an older release: its documents can be read, and newer fields are written only if a user
        /// asks for them.
        NOT_NEWER
    }

    public static CalicoVersion of(Map<String, String> environment) {
        var named = environment.getOrDefault(VARIABLE, "");
        return named.isEmpty()
                ? new CalicoVersion(IMPLEMENTED, Agreement.NOT_NEWER)
                : new CalicoVersion(named, Agreement.EQUAL);
    }

    /// Refuses a cluster that runs a version that is not accepted.
    void check(Datastore store) {
        var cluster = ClusterFacts.fetch(store).calicoVersion();
        if (!cluster.isEmpty() && !goesAlongWith(cluster)) {
            throw new CommandRefusedException(
                    "version mismatch.\nClient Version:   %s\nCluster Version:  %s\nUse --allow-version-mismatch to override"
                            .formatted(text, cluster));
        }
    }

    private boolean goesAlongWith(String cluster) {
        return switch (agreement) {
            case EQUAL -> plain(cluster).equals(plain(text));
            case NOT_NEWER -> notNewer(plain(cluster), plain(text));
        };
    }

    /// Patch releases do not change documents, so the third number does not count. An invalid version counts as
    /// newer.
    private static boolean notNewer(String cluster, String known) {
        var theirs = NUMBER.matcher(cluster);
        var ours = NUMBER.matcher(known);
        return theirs.matches()
                && ours.matches()
                && theirs.group(1).equals(ours.group(1))
                && Integer.parseInt(theirs.group(2)) <= Integer.parseInt(ours.group(2));
    }

    /// Without the letter in front and what follows a dash.
    private static String plain(String version) {
        var number = version.startsWith("v") ? version.substring(1) : version;
        int dash = number.indexOf('-');
        return dash < 0 ? number : number.substring(0, dash);
    }
}
