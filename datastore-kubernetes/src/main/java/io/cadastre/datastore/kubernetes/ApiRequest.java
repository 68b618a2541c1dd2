package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.ApiResource.Rewriting;
import io.cadastre.datastore.resource.ObjectName;
import io.cadastre.datastore.resource.Scope;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/// One request to the API server.
///
/// @param target what it is about, for sentences
/// @param path with the query, without the leading slash
/// @param mediaType of the body
/// @param body empty for none
/// @param beforeSending runs before each sending; what it throws keeps the request from being sent
record ApiRequest(
        Verb verb,
        ApiResource resource,
        String target,
        String path,
        String mediaType,
        String body,
        Runnable beforeSending) {

    /// One with a body that is an object, or with none.
    ApiRequest(Verb verb, ApiResource resource, String target, String path, String body) {
        this(verb, resource, target, path, "application/json", body, () -> {});
    }

    static ApiRequest get(ObjectName name) {
        return new ApiRequest(Verb.GET, name.resource(), words(name), path(name), "");
    }

    static ApiRequest create(ObjectName name, Bytes object) {
        var path = collection(name.resource(), name.namespace());
        return new ApiRequest(Verb.CREATE, name.resource(), words(name), path, object.utf8());
    }

    /// @param part what of the object the server is to take
    static ApiRequest update(ObjectName name, Bytes object, Rewriting part) {
        var path = path(name, part);
        return new ApiRequest(Verb.UPDATE, name.resource(), words(name), path, object.utf8());
    }

    static ApiRequest patch(ObjectName name, ObjectPatch patch, Bytes changes) {
        var path = path(name, patch.rewriting());
        return new ApiRequest(
                Verb.PATCH,
                name.resource(),
                words(name),
                path,
                patch.merge().mediaType,
                changes.utf8(),
                patch.beforeSending());
    }

    /// The same without any effect: the answer is what the server would store.
    ApiRequest asDryRun() {
        return withPath(path + "?dryRun=All");
    }

    /// The same, which the server gives up after this time if it is a write.
    ///
    /// @param limit zero for the server's own
    ApiRequest within(Duration limit) {
        return limit.isZero() || !writes()
                ? this
                : withPath("%s%stimeout=%ds".formatted(path, path.contains("?") ? "&" : "?", limit.toSeconds()));
    }

    boolean writes() {
        return switch (verb) {
            case GET, LIST, WATCH -> false;
            case CREATE, UPDATE, PATCH, DELETE -> true;
        };
    }

    private ApiRequest withPath(String other) {
        return new ApiRequest(verb, resource, target, other, mediaType, body, beforeSending);
    }

    /// @param precondition what must be so of the object's metadata, such as its `uid`
    static ApiRequest delete(ObjectName name, String precondition, String value) {
        var body = """
            {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"%s":"%s"}}\
            """.formatted(precondition, value);
        return new ApiRequest(Verb.DELETE, name.resource(), words(name), path(name), body);
    }

    /// @param query in the order it is to be sent
    static ApiRequest list(Scope scope, Map<String, String> query) {
        return ofScope(Verb.LIST, scope, query);
    }

    static ApiRequest watch(Scope scope, Map<String, String> query) {
        return ofScope(Verb.WATCH, scope, query);
    }

    private static ApiRequest ofScope(Verb verb, Scope scope, Map<String, String> query) {
        var path = collection(scope.resource(), scope.namespace());
        var words = scope.namespace().isEmpty()
                ? scope.resource().qualifiedPlural()
                : "%s in namespace %s".formatted(scope.resource().qualifiedPlural(), scope.namespace());
        var parameters = query.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + encoded(entry.getValue()))
                .collect(Collectors.joining("&"));
        return new ApiRequest(verb, scope.resource(), words, path + "?" + parameters, "");
    }

    private static String path(ObjectName name, Rewriting rewriting) {
        return switch (rewriting) {
            case WHOLE -> path(name);
            case STATUS -> path(name) + "/status";
            case PER_PART -> throw new IllegalArgumentException("a request is about one part of an object");
        };
    }

    private static String path(ObjectName name) {
        return collection(name.resource(), name.namespace()) + "/" + encoded(name.name());
    }

    private static String collection(ApiResource resource, String namespace) {
        var root = resource.group().isEmpty() ? "api/" : "apis/" + resource.group() + "/";
        var middle = namespace.isEmpty() ? "" : "namespaces/" + encoded(namespace) + "/";
        return root + resource.version() + "/" + middle + resource.plural();
    }

    private static String words(ObjectName name) {
        var place = name.namespace().isEmpty() ? "" : name.namespace() + "/";
        return "%s %s%s".formatted(name.resource().qualifiedPlural(), place, name.name());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
