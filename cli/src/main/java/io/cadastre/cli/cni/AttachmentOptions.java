package io.cadastre.cli.cni;

import io.cadastre.cni.runtime.AttachmentRequest;
import io.cadastre.cni.runtime.CniTool;
import io.cadastre.cni.runtime.NetworkConfigFolder;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The network, and the interface and namespace to attach.
final class AttachmentOptions {

    /// The directory in which runtimes look for networks.
    static final String CONF_DIRECTORY = "/etc/cni/net.d";

    @Parameters(index = "0", paramLabel = "NET", description = "Name of the network.")
    private String network = "";

    @Parameters(index = "1", paramLabel = "NETNS", description = "Path of a network namespace.")
    private String netns = "";

    @Option(
            names = {"-i", "--ifname"},
            paramLabel = "NAME",
            defaultValue = "",
            description = "Name of the interface; default $CNI_IFNAME, or " + CniTool.IFNAME + ".")
    private String ifname = "";

    @Option(
            names = "--conf-dir",
            paramLabel = "DIR",
            defaultValue = "",
            description = "Directory of network configurations; default $NETCONFPATH, or " + CONF_DIRECTORY + ".")
    private String confDirectory = "";

    String network() {
        return network;
    }

    NetworkConfigFolder folder(Map<String, String> environment) {
        return new NetworkConfigFolder(Path.of(firstSet(confDirectory, "NETCONFPATH", CONF_DIRECTORY, environment)));
    }

    AttachmentRequest request(Map<String, String> environment) {
        return CniTool.request(
                netns,
                firstSet(ifname, "CNI_IFNAME", CniTool.IFNAME, environment),
                arguments(environment),
                environment.getOrDefault("CAP_ARGS", ""));
    }

    static String arguments(Map<String, String> environment) {
        return environment.getOrDefault("CNI_ARGS", "");
    }

    /// An option, or else a variable, or else a default.
    static String firstSet(String option, String variable, String otherwise, Map<String, String> environment) {
        if (!option.isEmpty()) {
            return option;
        }
        var set = environment.getOrDefault(variable, "");
        return set.isEmpty() ? otherwise : set;
    }
}
