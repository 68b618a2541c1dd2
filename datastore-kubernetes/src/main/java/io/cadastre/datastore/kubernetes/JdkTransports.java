package io.cadastre.datastore.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.BackwardsCompatibilityInterceptor;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/// Makes transports that differ in their connections only: they share certificates, credentials and the tokens that
/// were renewed. One thread at a time may ask for one.
final class JdkTransports implements Supplier<ApiTransport> {

    private final Factory factory = new Factory();
    private final io.fabric8.kubernetes.client.http.HttpClient.Builder clients = factory.newBuilder();

    /// @throws io.fabric8.kubernetes.client.KubernetesClientException if a certificate or a key is unusable
    JdkTransports(Config config) {
        // Clients that fabric8 makes by itself, to renew tokens, are not ours.
        HttpClientUtils.applyCommonConfiguration(config, clients, new JdkHttpClientFactory());
        // It would answer a missing resource with one of another version.
        clients.addOrReplaceInterceptor(BackwardsCompatibilityInterceptor.NAME, null);
    }

    @Override
    public ApiTransport get() {
        var http = clients.build();
        return new ApiTransport(http, factory.built.orElseThrow());
    }

    /// Remembers the JDK's client within the client that was built last. fabric8 does not hand it out, and it alone
    /// can cut its connections.
    private static final class Factory extends JdkHttpClientFactory {

        private Optional<HttpClient> built = Optional.empty();

        @Override
        protected HttpClient.Builder createNewHttpClientBuilder() {
            return new Remembering(super.createNewHttpClientBuilder());
        }

        private final class Remembering implements HttpClient.Builder {

            private final HttpClient.Builder builder;

            Remembering(HttpClient.Builder builder) {
                this.builder = builder;
            }

            @Override
            public HttpClient build() {
                var client = builder.build();
                built = Optional.of(client);
                return client;
            }

            @Override
            public HttpClient.Builder cookieHandler(CookieHandler handler) {
                builder.cookieHandler(handler);
                return this;
            }

            @Override
            public HttpClient.Builder connectTimeout(Duration limit) {
                builder.connectTimeout(limit);
                return this;
            }

            @Override
            public HttpClient.Builder sslContext(SSLContext context) {
                builder.sslContext(context);
                return this;
            }

            @Override
            public HttpClient.Builder sslParameters(SSLParameters parameters) {
                builder.sslParameters(parameters);
                return this;
            }

            @Override
            public HttpClient.Builder executor(Executor executor) {
                builder.executor(executor);
                return this;
            }

            @Override
            public HttpClient.Builder followRedirects(HttpClient.Redirect policy) {
                builder.followRedirects(policy);
                return this;
            }

            @Override
            public HttpClient.Builder version(HttpClient.Version version) {
                builder.version(version);
                return this;
            }

            @Override
            public HttpClient.Builder priority(int priority) {
                builder.priority(priority);
                return this;
            }

            @Override
            public HttpClient.Builder proxy(ProxySelector selector) {
                builder.proxy(selector);
                return this;
            }

            @Override
            public HttpClient.Builder authenticator(Authenticator authenticator) {
                builder.authenticator(authenticator);
                return this;
            }

            @Override
            public HttpClient.Builder localAddress(InetAddress address) {
                builder.localAddress(address);
                return this;
            }
        }
    }
}
