package io.cadastre.wire.calico.resource;

import io.cadastre.address.Address;
import io.cadastre.address.SloppyText;
import java.util.ArrayList;
import java.util.List;

/// What an `IPReservation` may say: first what the tag on the Go field asks for, then its schema.
final class ReservationRules {

    private ReservationRules() {}

    static List<ResourceFault> faults(List<String> reserved) {
        var faults = new ArrayList<ResourceFault>();
        if (!reserved.stream().allMatch(ReservationRules::cidrOrAddress)) {
            faults.add(new ResourceFault(
                    "ReservedCIDRs",
                    "[%s]".formatted(String.join(" ", reserved)),
                    "Reason: failed to validate Field: ReservedCIDRs because of Tag:" + " cidrs "));
        }
        for (int index = 0; index < reserved.size(); index++) {
            if (SloppyText.parsePrefix(reserved.get(index)).isEmpty()) {
                var field = "spec.reservedCIDRs[%d]".formatted(index);
                faults.add(ResourceFault.of(
                        field, "%s in body must be of type cidr: \"%s\"".formatted(field, reserved.get(index))));
            }
        }
        return faults;
    }

    private static boolean cidrOrAddress(String text) {
        try {
            return SloppyText.parsePrefix(text).isPresent()
                    || Address.parse(text).toString().length() > 0;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
