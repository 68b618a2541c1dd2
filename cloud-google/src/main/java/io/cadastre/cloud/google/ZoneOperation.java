package io.cadastre.cloud.google;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// A change that the cloud makes on its own time.
///
/// @param errors a sentence each, if it is done and failed
/// @param status of HTTP that goes with the errors; zero if none was sent
record ZoneOperation(String name, boolean done, List<String> errors, int status) {

    private static final int ERRORS_MAX = 3;
    private static final int ERROR_CHARACTERS_MAX = 200;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");

    ZoneOperation {
        errors = List.copyOf(errors);
    }

    /// @throws UnreadableDocumentException if it is not one
    static ZoneOperation of(ObjectNode body) {
        var fields = new Fields("the answer");
        var name = fields.text(body, "name");
        if (!NAME.matcher(name).matches()) {
            throw new UnreadableDocumentException("the answer", "it has no name of an operation");
        }
        boolean done = fields.text(body, "status").equals("DONE");
        var errors = new ArrayList<String>();
        for (var error : fields.array(fields.object(body, "error"), "errors")) {
            if (errors.size() < ERRORS_MAX && error instanceof ObjectNode one) {
                errors.add(shortened(fields.text(one, "code") + " - " + fields.text(one, "message")));
            }
        }
        return new ZoneOperation(
                name, done, errors, fields.integer(body.path("httpErrorStatusCode"), "httpErrorStatusCode"));
    }

    private static String shortened(String text) {
        var line = text.replaceAll("\\p{Cntrl}+", " ").strip();
        return line.length() <= ERROR_CHARACTERS_MAX ? line : line.substring(0, ERROR_CHARACTERS_MAX) + "...";
    }
}
