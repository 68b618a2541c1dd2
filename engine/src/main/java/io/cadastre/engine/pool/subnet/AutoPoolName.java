package io.cadastre.engine.pool.subnet;

import io.cadastre.address.Family;
import io.cadastre.engine.pool.IpText;
import java.util.Locale;

/// The name of a pool that is made for an application: `auto4-web-eth0-a5bd3`.
final class AutoPoolName {

    private static final int NAME_LENGTH_MAX = 253;
    private static final int UID_LENGTH_MAX = 5;

    private AutoPoolName() {}

    /// With the beginning of the last group of the uid, and as much of the application's name as there is room for.
    static String of(Family family, String application, String nic, String uid) {
        var front = "auto%d-".formatted(IpText.version(family));
        var back = "-%s%s".formatted(nic, end(uid));
        int room = Math.max(0, NAME_LENGTH_MAX - front.length() - back.length());
        var name = application.substring(0, Math.min(room, application.length()));
        return (front + name + back).toLowerCase(Locale.ROOT);
    }

    private static String end(String uid) {
        var group = uid.substring(uid.lastIndexOf('-') + 1);
        return "-" + group.substring(0, Math.min(UID_LENGTH_MAX, group.length()));
    }

    /// Whether a name is that of a pool that was made for an application of this uid.
    static boolean isOf(String name, String uid) {
        return name.endsWith(end(uid).toLowerCase(Locale.ROOT));
    }
}
