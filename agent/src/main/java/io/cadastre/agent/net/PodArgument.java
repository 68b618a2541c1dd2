package io.cadastre.agent.net;

/// One of the arguments by which a runtime says which pod it is about.
final class PodArgument {

    /// Distinguishes a pod from a former one of its name. Not every runtime passes it.
    static final String UID = "K8S_POD_UID";

    private PodArgument() {}

    /// The value, empty if the argument is missing.
    ///
    /// @param arguments the text of `CNI_ARGS`
    static String find(String arguments, String name) {
        for (var pair : arguments.split(";", -1)) {
            if (pair.startsWith(name + "=")) {
                return pair.substring(name.length() + 1);
            }
        }
        return "";
    }
}
