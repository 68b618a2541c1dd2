package io.cadastre.verification.simulation.runtime;

/// A number of requests, one after the other. A request that a crash interrupts counts, and is not asked again.
final class RequestScript<W> implements ThreadScript<W> {

    private final String name;
    private final int count;
    private final ThreadRequests<W> requests;
    private int asked;

    RequestScript(String name, int count, ThreadRequests<W> requests) {
        this.name = name;
        this.count = count;
        this.requests = requests;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean finished() {
        return asked >= count;
    }

    @Override
    public void perform(W world) {
        while (!finished()) {
            asked++;
            requests.askNext(world);
        }
        requests.end(world);
    }
}
