package io.cadastre.wire.spiderpool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniArguments;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.Members;
import java.util.List;

/// Which pod a call is about. Every part may be empty: not every runtime provides it.
///
/// @param uid distinguishes a pod from an earlier one of the same name
public record PodIdentity(String namespace, String name, String uid) {

    static final List<String> REQUIRED = List.of("podNamespace", "podName", "podUID");

    private static final String NAMESPACE_ARGUMENT = "K8S_POD_NAMESPACE";
    private static final String NAME_ARGUMENT = "K8S_POD_NAME";
    private static final String UID_ARGUMENT = "K8S_POD_UID";

    private static final List<CniArguments.Key> KEYS = List.of(
            new CniArguments.Key("IP", CniArguments.Kind.ADDRESS),
            new CniArguments.Key(NAME_ARGUMENT, CniArguments.Kind.TEXT),
            new CniArguments.Key(NAMESPACE_ARGUMENT, CniArguments.Kind.TEXT),
            new CniArguments.Key("K8S_POD_INFRA_CONTAINER_ID", CniArguments.Kind.TEXT),
            new CniArguments.Key(UID_ARGUMENT, CniArguments.Kind.TEXT));

    /// Reads it from what a runtime says about the call.
    ///
    /// @param args the text of `CNI_ARGS`
    /// @throws CniException if it has another form
    public static PodIdentity ofArguments(String args) {
        return of(CniArguments.parse(args, KEYS));
    }

    /// Reads it from whatever has the form, for a record of the call.
    public static PodIdentity readable(String args) {
        return of(CniArguments.readable(args));
    }

    private static PodIdentity of(CniArguments arguments) {
        return new PodIdentity(
                arguments.text(NAMESPACE_ARGUMENT), arguments.text(NAME_ARGUMENT), arguments.text(UID_ARGUMENT));
    }

    /// Reads a form that has nothing else, and of which each part may be missing.
    ///
    /// @throws UnreadableFormException if it is not one
    public static PodIdentity parse(Bytes body) {
        return Form.read(body, List.of(), PodIdentity::read);
    }

    static PodIdentity read(Members members) {
        return new PodIdentity(members.text("podNamespace"), members.text("podName"), members.text("podUID"));
    }

    void write(ObjectNode form) {
        form.put("podNamespace", namespace).put("podName", name).put("podUID", uid);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
