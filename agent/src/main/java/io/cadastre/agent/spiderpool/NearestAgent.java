package io.cadastre.agent.spiderpool;

import io.cadastre.address.Address;
import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.IpamAddResponse;
import io.cadastre.wire.spiderpool.IpamBatchDelArgs;
import io.cadastre.wire.spiderpool.IpamDelArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import io.cadastre.wire.spiderpool.WorkloadEndpoint;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Spiderpool's own agent where its socket is there, and this process where it is not.
///
/// @param socket where Spiderpool's agent listens
/// @param other who is asked there
/// @param own who is asked elsewhere
public record NearestAgent(Path socket, SpiderpoolAgent other, SpiderpoolAgent own)
        implements SpiderpoolAgent {

    private SpiderpoolAgent nearest() {
        return Files.exists(socket) ? other : own;
    }

    @Override
    public void checkHealth() {
        nearest().checkHealth();
    }

    @Override
    public IpamAddResponse allocate(IpamAddArgs args) {
        return nearest().allocate(args);
    }

    @Override
    public void release(IpamDelArgs args) {
        nearest().release(args);
    }

    @Override
    public void noteConflict(PodIdentity pod, Address address) {
        nearest().noteConflict(pod, address);
    }

    @Override
    public void releaseAll(IpamBatchDelArgs args) {
        nearest().releaseAll(args);
    }

    @Override
    public Optional<WorkloadEndpoint> findEndpoint(PodIdentity pod) {
        return nearest().findEndpoint(pod);
    }
}
