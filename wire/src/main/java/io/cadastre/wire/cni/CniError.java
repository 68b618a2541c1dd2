package io.cadastre.wire.cni;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Json;

/// An error as it goes over the wire.
///
/// @param code one of [CniCode], or a plugin's own
/// @param details more for a human, or empty
public record CniError(long code, String msg, String details) {

    public CniError {
        if (code < 0) {
            throw new IllegalArgumentException("a CNI error code is not negative: " + code);
        }
    }

    public static CniError of(CniCode code, String msg) {
        return new CniError(code.number(), msg, "");
    }

    public static CniError of(CniCode code, String msg, String details) {
        return new CniError(code.number(), msg, details);
    }

    /// Reads what a plugin printed when it failed. What is missing is zero or empty, so that every JSON
    /// object is an error of some kind; `null` counts as an empty one.
    ///
    /// @throws CniException if it is not a JSON object
    public static CniError parse(Bytes printed) {
        var members = Members.parse(printed);
        return new CniError(members.count("code"), members.text("msg"), members.text("details"));
    }

    public boolean is(CniCode other) {
        return code == other.number();
    }

    /// The error object with indents and without a line end. The reference code leaves the version
    /// out, the text of the specification asks for it, and readers ignore it.
    public String print(String cniVersion) {
        var object = Json.emptyObject();
        object.put("cniVersion", cniVersion);
        object.put("code", code);
        object.put("msg", msg);
        if (!details.isEmpty()) {
            object.put("details", details);
        }
        return CniJson.pretty(object);
    }

    /// For humans: what is wrong, and the details if there are any.
    public String sentence() {
        return details.isEmpty() ? msg : msg + "; " + details;
    }
}
