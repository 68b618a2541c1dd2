package io.cadastre.datastore.kubernetes;

/// What is done to objects, by the words of Kubernetes' rules of access.
enum Verb {
    GET("GET"),
    LIST("GET"),
    WATCH("GET"),
    CREATE("POST"),
    UPDATE("PUT"),
    PATCH("PATCH"),
    DELETE("DELETE");

    final String method;

    Verb(String method) {
        this.method = method;
    }

    String word() {
        return switch (this) {
            case GET -> "get";
            case LIST -> "list";
            case WATCH -> "watch";
            case CREATE -> "create";
            case UPDATE -> "update";
            case PATCH -> "patch";
            case DELETE -> "delete";
        };
    }
}
