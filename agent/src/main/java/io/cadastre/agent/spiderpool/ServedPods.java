package io.cadastre.agent.spiderpool;

import java.util.LinkedHashSet;
import java.util.concurrent.locks.ReentrantLock;

/// The pods for which this agent was asked for addresses, by their UIDs. One that is not among them has no endpoint
/// yet in all likelihood: only the agent of its node writes one.
final class ServedPods {

    /// More than a node has pods. One that is forgotten costs a conflict if it asks again.
    private static final int PODS_MAX = 10_000;

    /// Guards the pods.
    private final ReentrantLock lock = new ReentrantLock();

    /// Oldest first.
    private final LinkedHashSet<String> uids = new LinkedHashSet<>();

    /// Notes the pod, and returns whether it is asked for here for the first time.
    boolean add(String uid) {
        lock.lock();
        try {
            boolean first = uids.add(uid);
            if (uids.size() > PODS_MAX) {
                uids.removeFirst();
            }
            return first;
        } finally {
            lock.unlock();
        }
    }
}
