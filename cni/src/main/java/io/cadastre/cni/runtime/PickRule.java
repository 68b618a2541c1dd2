package io.cadastre.cni.runtime;

/// By which rule a container runtime picks its networks from all that are configured. Those who know the
/// name of a network need none ([NetworkFolder#load(String)]).
public sealed interface PickRule {

    /// As kubelet did while it called plugins itself: the first that can be read and whose plugins support
    /// it. Others are passed over.
    record Kubelet() implements PickRule {}

    /// As containerd does: the first so many. One that cannot be read spoils all.
    record Containerd(int networksMax) implements PickRule {

        /// Unless somebody configured another number.
        public static final Containerd DEFAULT = new Containerd(1);

        public Containerd {
            if (networksMax < 1) {
                throw new IllegalArgumentException(
                        "%d networks are none to pick".formatted(networksMax));
            }
        }
    }

    /// As CRI-O does: the default network, or else the first that can be read and whose plugins support
    /// it. Of several with one name the first counts.
    ///
    /// @param defaultNetwork empty if none is configured
    record CriO(String defaultNetwork) implements PickRule {}
}
