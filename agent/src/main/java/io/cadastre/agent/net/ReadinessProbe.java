package io.cadastre.agent.net;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/// Asks whether what stands behind an address is ready.
@FunctionalInterface
public interface ReadinessProbe {

    /// How long an answer is waited for.
    Duration LIMIT = Duration.ofSeconds(5);

    boolean isReady(URI address) throws InterruptedException;

    /// By HTTP: any answer from 200 to 399 is a yes.
    static ReadinessProbe http() {
        return address -> {
            try (var client = HttpClient.newBuilder().connectTimeout(LIMIT).build()) {
                var request =
                        HttpRequest.newBuilder(address).timeout(LIMIT).GET().build();
                int status = client.send(request, BodyHandlers.discarding()).statusCode();
                return status >= 200 && status < 400;
            } catch (IOException silent) {
                return false;
            }
        };
    }
}
