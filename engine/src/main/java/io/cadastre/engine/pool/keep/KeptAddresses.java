package io.cadastre.engine.pool.keep;

import io.cadastre.address.Family;
import io.cadastre.engine.Because;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.Nic;
import io.cadastre.engine.pool.NicAddress;
import io.cadastre.engine.pool.NicPlace;
import io.cadastre.engine.pool.PodEndpoint;
import io.cadastre.engine.pool.PodEndpoint.Ownership;
import io.cadastre.engine.pool.PoolAllocateRequest;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolChange.Confirm;
import io.cadastre.engine.pool.PoolChange.DropPool;
import io.cadastre.engine.pool.PoolChange.Free;
import io.cadastre.engine.pool.PoolChange.Take;
import io.cadastre.engine.pool.PoolReason.NicNotKept;
import io.cadastre.engine.pool.PoolReason.NicNotKept.Cause;
import io.cadastre.engine.pool.PoolReason.NotTheirs;
import io.cadastre.engine.pool.PoolReason.Restored;
import io.cadastre.engine.pool.PoolReason.Retained;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.engine.pool.PoolRefusal;
import io.cadastre.engine.pool.PoolRefusedException;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.engine.pool.select.PoolCandidates;
import io.cadastre.engine.pool.select.PoolCandidates.Form;
import io.cadastre.engine.pool.select.PoolCandidates.Plan;
import io.cadastre.engine.pool.select.RivalAddresses;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What a pod takes over from the endpoint that its predecessor left, or that it has itself.
///
/// @param endpoint the endpoint with the interfaces that stay, for the new pod
/// @param changes the records of what stays become the new pod's, those of the rest are removed
public record KeptAddresses(PodEndpoint endpoint, List<PoolChange> changes, List<Because> because) {

    public KeptAddresses {
        changes = List.copyOf(changes);
        because = List.copyOf(because);
    }

    /// Decides on each interface of the endpoint.
    ///
    /// @throws PoolRefusedException if a pool cannot be read
    public static KeptAddresses of(PoolView view, PoolAllocateRequest request, PodEndpoint stored) {
        return new Takeover(view, request, stored).decided();
    }

    private static final class Takeover {

        private final PoolAllocateRequest request;
        private final PodEndpoint stored;
        private final List<PoolChange> changes = new ArrayList<>();
        private final List<Because> because = new ArrayList<>();
        private PoolView view;

        Takeover(PoolView view, PoolAllocateRequest request, PodEndpoint stored) {
            this.view = view;
            this.request = request;
            this.stored = stored;
        }

        KeptAddresses decided() {
            lookAtPools();
            var dropped = dropped();
            var kept = new ArrayList<Nic>();
            for (var nic : stored.nics()) {
                if (dropped.contains(nic)) {
                    nic.addresses().forEach(taken -> free(nic, taken));
                } else {
                    nic.addresses().forEach(taken -> record(nic, taken));
                    kept.add(nic);
                }
            }
            var pod = request.pod();
            if (!kept.isEmpty() && !stored.uid().equals(pod.uid())) {
                because.add(new Retained(stored.key(), stored.uid()));
            }
            return new KeptAddresses(
                    new PodEndpoint(stored.key(), pod.uid(), pod.node(), kept, pod.controller(), Ownership.UNOWNED),
                    changes,
                    because);
        }

        private void write(PoolChange change) {
            changes.add(change);
            view = view.with(change);
        }

        private void lookAtPools() {
            var names = stored.nics().stream()
                    .flatMap(nic -> nic.addresses().stream())
                    .map(NicAddress::pool)
                    .distinct()
                    .toList();
            NotReadException.lookAtAll(names, view::findPool);
        }

        // ---- what does not stay ----

        /// Interfaces without names belong together: they stay, or are assigned anew, as a whole.
        private List<Nic> dropped() {
            var outdated =
                    switch (request.pod().succession()) {
                        case Succession.SameName _ -> outdated(PoolCandidates.of(view, request));
                        case Succession.SameMachine _, Succession.None _ -> List.<Nic>of();
                    };
            var lost = stored.nics().stream()
                    .filter(nic -> !outdated.contains(nic))
                    .filter(nic -> nic.addresses().stream().anyMatch(this::lost))
                    .toList();
            outdated.forEach(nic -> because.add(new NicNotKept(nic.name(), Cause.OTHER_POOLS)));
            lost.forEach(nic -> because.add(new NicNotKept(nic.name(), Cause.RECORD_LOST)));
            if (lost.isEmpty()) {
                return outdated;
            }
            if (PoolCandidates.of(view, request).form() == Form.NUMBERED) {
                return stored.nics();
            }
            return Stream.concat(outdated.stream(), lost.stream()).toList();
        }

        private List<Nic> outdated(PoolCandidates candidates) {
            var nics = stored.nics();
            var plans = candidates.plans();
            return switch (candidates.form()) {
                // Only the interface that is asked for: what the others may have is asked with their own calls.
                case NAMED ->
                    plans.stream()
                            .filter(plan -> plan.nic().equals(request.nic()))
                            .flatMap(plan -> nics.stream()
                                    .filter(nic ->
                                            nic.name().isEmpty() || nic.name().equals(plan.nic()))
                                    .filter(nic -> !within(nic, plan)))
                            .toList();
                case NUMBERED -> {
                    boolean fits = nics.size() == plans.size()
                            && IntStream.range(0, nics.size())
                                    .allMatch(index -> within(nics.get(index), plans.get(index)));
                    yield fits ? List.of() : nics;
                }
            };
        }

        private static boolean within(Nic nic, Plan plan) {
            return within(nic.ipv4(), plan, Family.IPV4) && within(nic.ipv6(), plan, Family.IPV6);
        }

        private static boolean within(Optional<NicAddress> taken, Plan plan, Family family) {
            return taken.isEmpty()
                    || plan.pools()
                            .getOrDefault(family, List.of())
                            .contains(taken.get().pool());
        }

        /// Whether there is no record of an address for this name, and none can be written. A release that stops
        /// between the pool and the endpoint leaves an endpoint whose address another pod may have by now.
        private boolean lost(NicAddress taken) {
            var pool = view.findPool(taken.pool());
            if (pool.isEmpty()) {
                return true;
            }
            var holder = recorded(pool.get(), taken);
            return holder.isPresent() ? !isTheirs(holder.get()) : !isFree(pool.get(), taken);
        }

        private boolean isFree(AddressPool pool, NicAddress taken) {
            var address = taken.address();
            return !pool.terminating()
                    && !pool.disabled()
                    && pool.spec().effective().contains(address)
                    && pool.held().size() < request.settings().recordsMax()
                    && !view.reservedAddresses().contains(address)
                    && !request.conflicting().contains(address)
                    && !RivalAddresses.of(view, pool).addresses().contains(address);
        }

        private static Optional<PoolRecord> recorded(AddressPool pool, NicAddress taken) {
            if (pool.damaged()) {
                throw new PoolRefusedException(new PoolRefusal.DataBroken(pool.damage()));
            }
            return pool.held().find(taken.address());
        }

        private boolean isTheirs(PoolRecord record) {
            return record.pod().equals(stored.key().toString());
        }

        private void free(Nic nic, NicAddress taken) {
            var pool = view.findPool(taken.pool());
            var record = pool.flatMap(found -> recorded(found, taken)).filter(this::isTheirs);
            if (record.isEmpty()) {
                because.add(new NotTheirs(taken.address(), taken.pool(), stored.key()));
                return;
            }
            write(new Free(taken.pool(), taken.address(), record.get(), placeBefore(nic)));
            var left = view.findPool(taken.pool()).orElseThrow();
            if (left.terminating() && left.held().empty()) {
                write(new DropPool(taken.pool()));
            }
        }

        // ---- what stays ----

        private void record(Nic nic, NicAddress taken) {
            var pool = view.findPool(taken.pool()).orElseThrow();
            var own = request.pod().record();
            var holder = recorded(pool, taken);
            if (holder.isEmpty()) {
                because.add(new Restored(taken.address(), pool.name()));
                write(new Take(pool.name(), taken.address(), own, place(nic)));
            } else if (!holder.get().equals(own)) {
                write(new Free(pool.name(), taken.address(), holder.get(), placeBefore(nic)));
                write(new Take(pool.name(), taken.address(), own, place(nic)));
            } else if (!stored.uid().equals(own.podUid())) {
                write(new Confirm(pool.name(), taken.address(), own));
            }
        }

        private NicPlace place(Nic nic) {
            return new NicPlace(request.pod().node(), nic.name());
        }

        private NicPlace placeBefore(Nic nic) {
            return new NicPlace(stored.node(), nic.name());
        }
    }
}
