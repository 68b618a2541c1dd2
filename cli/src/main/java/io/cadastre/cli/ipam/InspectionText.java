package io.cadastre.cli.ipam;

import io.cadastre.address.Address;
import java.io.PrintStream;
import java.util.List;

/// An inspection as calicoctl prints it.
record InspectionText(Inspection inspection, Detail detail, PrintStream out) {

    /// Which addresses are named.
    enum Detail {
        NONE,
        PROBLEMS,
        ALL
    }

    void print() {
        line("Checking IPAM for inconsistencies...");
        line("");
        printBlocks();
        printPools();
        printUsers();
        printNodes();
        int problems = printDifferences() + printHandles();
        line("Check complete; found %d problems.".formatted(problems));
    }

    private void printBlocks() {
        line("Loading all IPAM blocks...");
        line("Found %d IPAM blocks.".formatted(inspection.blocks().size()));
        var left = inspection.allocations().iterator();
        var next = left.hasNext() ? left.next() : null;
        for (var block : inspection.blocks()) {
            line(" IPAM block %s affinity=%s:"
                    .formatted(block.cidr(), block.owner().map(Object::toString).orElse("<none>")));
            // Ends: with the allocations, which come in the order of the blocks.
            while (next != null && next.block().equals(block)) {
                if (detail == Detail.ALL) {
                    line("  %s allocated; attrs %s".formatted(next.address(), next.words()));
                }
                next = left.hasNext() ? left.next() : null;
            }
        }
        line("IPAM blocks record %d allocations."
                .formatted(inspection.allocations().size()));
        line("");
    }

    private void printPools() {
        line("Loading all IPAM pools...");
        inspection.activePools().forEach(pool -> line("  %s".formatted(pool.cidr())));
        line("Found %d active IP pools.".formatted(inspection.activePools().size()));
        line("");
    }

    private void printUsers() {
        line("Loading all nodes.");
        printUsers(inspection.nodeUsers());
        line("Found %d node tunnel IPs.".formatted(inspection.nodeUsers().size()));
        line("");
        line("Loading all service load balancer IPs.");
        line("No configuration for LoadBalancer kubecontroller found, skipping service check");
        line("");
        line("Loading all workload endpoints.");
        printUsers(inspection.workloadUsers());
        line("Found %d workload IPs.".formatted(inspection.workloadUsers().size()));
        line("Workloads and nodes are using %d IPs."
                .formatted(inspection.users().size()));
        line("");
    }

    private void printUsers(List<Inspection.User> users) {
        if (detail == Detail.ALL) {
            users.forEach(user -> line("  %s belongs to %s".formatted(user.address(), user.name())));
        }
    }

    private void printNodes() {
        line("Loading all handles");
        line("Looking for top (up to 20) nodes by allocations...");
        var nodes = inspection.nodes();
        Inspection.top(nodes).forEach(node -> line("  %s has %d allocations".formatted(node.node(), node.count())));
        if (!nodes.isEmpty()) {
            line("Node with most allocations has %d; median is %d"
                    .formatted(
                            nodes.getFirst().count(),
                            nodes.get(nodes.size() / 2).count()));
        }
        line("");
    }

    private int printDifferences() {
        line("Scanning for IPs that are allocated but not actually in use...");
        var leaked = inspection.leaked();
        leaked.forEach(
                allocation -> problem("  %s leaked; attrs %s".formatted(allocation.address(), allocation.words())));
        line("Found %d IPs that are allocated in IPAM but not actually in use.".formatted(leaked.size()));
        line("Scanning for IPs that are in use by a workload or node but not allocated in" + " IPAM...");
        var outside = inspection.usedOutsidePools();
        printUsers(outside, "is not in any active IP pool.");
        var unallocated = inspection.usedUnallocated();
        printUsers(unallocated, "and in active IPAM pool but has no IPAM allocation.");
        line("Found %d in-use IPs that are not in active IP pools.".formatted(outside.size()));
        line(("Found %d in-use IPs that are in active IP pools but have no corresponding IPAM" + " allocation.")
                .formatted(unallocated.size()));
        line("");
        return leaked.size() + outside.size() + unallocated.size();
    }

    private void printUsers(List<Address> addresses, String fault) {
        for (var address : addresses) {
            for (var user : inspection.users().getOrDefault(address, List.of())) {
                problem("  %s in use by %s %s".formatted(address, user, fault));
            }
        }
    }

    private int printHandles() {
        line("Scanning for IPAM handles with no matching IPs...");
        var leaked = inspection.leakedHandles();
        leaked.forEach(handle -> problem("  %s doesn't have any active IPs.".formatted(handle.id())));
        line("Found %d handles with no matching IPs (and %d handles with matches)."
                .formatted(leaked.size(), inspection.handles().size() - leaked.size()));
        line("Scanning for IPs with missing handle...");
        var missing = inspection.missingHandles();
        missing.forEach(id -> problem("  %s is in use in a block but doesn't exist.".formatted(id)));
        line("Found %d handles mentioned in blocks with no matching handle resource.".formatted(missing.size()));
        line("Validating IPAMBlock structures...");
        var invalid = inspection.invalidBlocks();
        invalid.forEach(
                block -> line("  IPAMBlock BlockKey(cidr=%s) is invalid: %s".formatted(block.cidr(), block.fault())));
        line("Found %d invalid IPAMBlocks.".formatted(invalid.size()));
        return leaked.size() + invalid.size();
    }

    private void problem(String text) {
        if (detail != Detail.NONE) {
            line(text);
        }
    }

    private void line(String text) {
        out.println(text);
    }
}
