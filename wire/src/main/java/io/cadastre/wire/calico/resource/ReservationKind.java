package io.cadastre.wire.calico.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.address.SloppyText;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.calico.CalicoResource;
import io.cadastre.wire.calico.CalicoStructs;
import io.cadastre.wire.json.Fields;
import java.util.ArrayList;
import java.util.List;

/// Addresses that no pool gives.
final class ReservationKind implements CalicoKind {

    private static final Traits TRAITS = CalicoKind.traits(
                    "IPReservation", "ipreservations", PrinterColumn.always("RESERVED", "/spec/reservedCIDRs"))
            .writtenWith(CalicoStructs.RESERVATION);

    @Override
    public Traits traits() {
        return TRAITS;
    }

    /// First what the tag on the Go field demands, then what the schema does.
    @Override
    public List<ResourceFault> faults(Fields reader, ObjectNode given) {
        var reserved = reader.texts(reader.object(given, CalicoResource.SPEC), "reservedCIDRs");
        var faults = new ArrayList<ResourceFault>();
        if (!reserved.stream().allMatch(ReservationKind::cidrOrAddress)) {
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
