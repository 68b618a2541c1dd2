package io.cadastre.wire.spiderpool.subnet;

import io.cadastre.datastore.Datastore;
import io.cadastre.engine.pool.subnet.SubnetClaim;
import io.cadastre.engine.pool.subnet.SubnetPool;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderPoolDocument;
import io.cadastre.wire.spiderpool.objects.SpiderSubnetDocument;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// Reads the pools that a subnet has for one application, and no pool of another.
public record ApplicationPoolReader(Datastore store) {

    /// The pool of this name, if it is made for what is claimed. How many addresses it has, and whether it is kept,
    /// makes no difference.
    public Optional<SubnetPool> find(String name, SubnetClaim claim) {
        return store.get(SpiderKeys.pool(name))
                .map(found -> SpiderPoolDocument.decode(name, found.value()).bound())
                .filter(pool -> pool.subnet().equals(claim.subnet()))
                .filter(pool -> pool.pool().family() == claim.family())
                .filter(pool -> pool.purpose()
                        .filter(purpose -> purpose.application().equals(claim.application())
                                && purpose.uid().equals(claim.uid())
                                && purpose.nic().equals(claim.nic()))
                        .isPresent());
    }

    /// The names of all pools that the subnet notes for the application. A pool that is kept from an earlier one
    /// has the name that it had.
    public SortedSet<String> fetchNames(SubnetClaim claim) {
        var application = claim.application().text();
        return new TreeSet<>(store.get(SpiderKeys.subnet(claim.subnet())).stream()
                .map(found -> SpiderSubnetDocument.decode(claim.subnet(), found.value())
                        .subnet()
                        .preAllocations())
                .flatMap(notes -> notes.entrySet().stream())
                .filter(note -> note.getValue().application().equals(application))
                .map(Map.Entry::getKey)
                .toList());
    }
}
