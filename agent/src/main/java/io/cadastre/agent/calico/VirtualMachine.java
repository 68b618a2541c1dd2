package io.cadastre.agent.calico;

import java.util.SortedMap;
import java.util.TreeMap;

/// A virtual machine of KubeVirt that runs in a pod. It keeps its address while pods come and go.
///
/// @param name of the running instance, which is that of the machine too
/// @param instanceUid of the running instance
/// @param machineUid of the machine; empty if the instance belongs to none
/// @param migrationUid of the move by which this pod will take the machine over; empty for others
/// @param leaving whether the machine is being deleted, and not only restarted
public record VirtualMachine(String name, String instanceUid, String machineUid, String migrationUid, boolean leaving) {

    /// How the names of all pods begin that run one.
    static final String POD_PREFIX = "virt-launcher-";

    public VirtualMachine {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a virtual machine has a name");
        }
    }

    /// Whether another pod still runs it and this one is to.
    boolean arriving() {
        return !migrationUid.isEmpty();
    }

    /// What its addresses say about it.
    SortedMap<String, String> attributes() {
        var attributes = new TreeMap<String, String>();
        attributes.put("vmi-name", name);
        putUnlessEmpty(attributes, "vmi-uid", instanceUid);
        putUnlessEmpty(attributes, "vm-uid", machineUid);
        putUnlessEmpty(attributes, "vmim-uid", migrationUid);
        return attributes;
    }

    private static void putUnlessEmpty(SortedMap<String, String> attributes, String key, String value) {
        if (!value.isEmpty()) {
            attributes.put(key, value);
        }
    }
}
