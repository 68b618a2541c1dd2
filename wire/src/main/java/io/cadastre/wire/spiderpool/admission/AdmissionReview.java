package io.cadastre.wire.spiderpool.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.Base64;

/// What an API server asks about one object.
///
/// @param uid names the review; the answer repeats it
/// @param word the kind of the object
/// @param operation `CREATE`, `UPDATE`, `DELETE` or `CONNECT`
/// @param subresource empty for the object itself
/// @param name empty if the server is yet to choose one
/// @param object as it is to be stored; without fields for a deletion
/// @param before as it is stored; without fields for a creation
public record AdmissionReview(
        String uid,
        String word,
        String operation,
        String subresource,
        String name,
        ObjectNode object,
        ObjectNode before) {

    private static final String API_VERSION = "admission.k8s.io/v1";
    private static final String KIND = "AdmissionReview";

    public AdmissionReview {
        object = object.deepCopy();
        before = before.deepCopy();
    }

    /// Reads a review.
    ///
    /// @throws UnreadableDocumentException if it is not one
    public static AdmissionReview read(Bytes message) {
        var reader = new Fields("the " + KIND);
        var json = Json.readMessage(reader.key(), message);
        reader.expect(json, "kind", KIND);
        reader.expect(json, "apiVersion", API_VERSION);
        var request = reader.object(json, "request");
        var uid = reader.text(request, "uid");
        if (uid.isEmpty()) {
            throw new UnreadableDocumentException(reader.key(), "it has no request.uid");
        }
        return new AdmissionReview(
                uid,
                reader.text(reader.object(request, "kind"), "kind"),
                reader.text(request, "operation"),
                reader.text(request, "subResource"),
                reader.text(request, "name"),
                reader.object(request, "object"),
                reader.object(request, "oldObject"));
    }

    /// The answer to it as the server reads it.
    public Bytes answer(AdmissionAnswer answer) {
        var json = Json.emptyObject();
        json.put("apiVersion", API_VERSION).put("kind", KIND);
        var response = json.putObject("response");
        response.put("uid", uid);
        switch (answer) {
            case AdmissionAnswer.Allowed _ -> response.put("allowed", true);
            case AdmissionAnswer.Patched(var patch, var _) ->
                response.put("allowed", true)
                        .put("patchType", "JSONPatch")
                        .put("patch", Base64.getEncoder().encodeToString(patch.toByteArray()));
            case AdmissionAnswer.Denied(var code, var message, var faults) -> {
                response.put("allowed", false);
                var status = response.putObject("status");
                status.put("status", "Failure")
                        .put("code", code.number())
                        .put("reason", code.reason())
                        .put("message", message);
                if (!faults.isEmpty()) {
                    var details = status.putObject("details");
                    details.put("name", name)
                            .put("group", "spiderpool.spidernet.io")
                            .put("kind", word);
                    var causes = details.putArray("causes");
                    faults.forEach(fault -> causes.addObject()
                            .put("reason", AdmissionAnswer.reason(fault.kind()))
                            .put("message", fault.sentence())
                            .put("field", fault.field()));
                }
            }
        }
        return Json.write(json);
    }
}
