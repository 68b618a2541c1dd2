package io.cadastre.agent.net;

import io.cadastre.wire.cni.CniVerb;
import java.util.Map;
import java.util.TreeMap;

/// One interface of a container, as a runtime names it.
///
/// @param args the text of `CNI_ARGS`
record Sandbox(String containerId, String netns, String ifname, String args) {

    static Sandbox of(String containerId, String netns) {
        return new Sandbox(containerId, netns, "eth0", "");
    }

    Sandbox ofPod(String namespace, String pod) {
        return withArgs("IgnoreUnknown=1;K8S_POD_NAMESPACE=%s;K8S_POD_NAME=%s".formatted(namespace, pod));
    }

    Sandbox withArgs(String text) {
        return new Sandbox(containerId, netns, ifname, text);
    }

    Sandbox asking(String address) {
        return withArgs(args + ";IP=" + address);
    }

    Sandbox withIfname(String other) {
        return new Sandbox(containerId, netns, other, args);
    }

    Sandbox withContainer(String other) {
        return new Sandbox(other, netns, ifname, args);
    }

    Sandbox withNetns(String other) {
        return new Sandbox(containerId, other, ifname, args);
    }

    Map<String, String> environment(CniVerb verb) {
        var environment = new TreeMap<String, String>();
        environment.put("CNI_COMMAND", verb.name());
        environment.put("CNI_CONTAINERID", containerId);
        environment.put("CNI_NETNS", netns);
        environment.put("CNI_IFNAME", ifname);
        environment.put("CNI_ARGS", args);
        environment.put("CNI_PATH", "/nowhere");
        return environment;
    }
}
