package io.cadastre.cni.runtime;

/// The rule by which a container runtime picks its networks from all that are configured. A caller that
/// knows the name of a network needs none ([NetworkConfigFolder#load(String)]).
public sealed interface PickRule {

    /// As kubelet did while it called plugins itself: the first that can be read and whose plugins support
    /// it. Others are passed over.
    record Kubelet() implements PickRule {}

    /// As containerd does: the first `networksMax`. If one of them cannot be read, all fail.
    record Containerd(int networksMax) implements PickRule {

        /// Unless another number is configured.
        public static final Containerd DEFAULT = new Containerd(1);

        public Containerd {
            if (networksMax < 1) {
                throw new IllegalArgumentException("cannot pick %d networks; pick at least 1".formatted(networksMax));
            }
        }
    }

    /// As CRI-O does: the default network, or else the first that can be read and whose plugins support
    /// it. Of several with one name the first counts.
    ///
    /// @param defaultNetwork empty if none is configured
    record CriO(String defaultNetwork) implements PickRule {}
}
