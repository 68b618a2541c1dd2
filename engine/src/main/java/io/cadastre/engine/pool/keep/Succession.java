package io.cadastre.engine.pool.keep;

import io.cadastre.engine.pool.PodKey;

/// Whether the addresses of a pod stay for the pod that follows it.
public sealed interface Succession {

    /// They do not.
    record None() implements Succession {}

    /// A pod of a StatefulSet: its successor has the same name.
    record SameName() implements Succession {}

    /// A pod that runs a virtual machine: its successor runs the same machine under another name.
    ///
    /// @param machine the name of the VirtualMachineInstance, which is in the namespace of the pod
    record SameMachine(String machine) implements Succession {}

    /// Whether a pod that has ended is going to be followed by another one.
    enum Successor {
        EXPECTED,
        NOT_EXPECTED
    }

    /// The name under which pools and endpoints record what the pod has.
    default PodKey holder(PodKey pod) {
        return switch (this) {
            case None _, SameName _ -> pod;
            case SameMachine(var machine) -> new PodKey(pod.namespace(), machine);
        };
    }
}
