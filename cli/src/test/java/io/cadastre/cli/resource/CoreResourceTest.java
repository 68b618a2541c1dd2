package io.cadastre.cli.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pods, namespaces and nodes on the command line, in a store without a cluster.
final class CoreResourceTest {

    private static final String POD = """
        {apiVersion: v1, kind: Pod, metadata: {name: web-0, namespace: shop, uid: u1, resourceVersion: "7"},
         spec: {nodeName: n1, containers: [{name: c, ports: [{containerPort: 80}]}]}, status: {phase: Running}}
        """;

    @TempDir
    private Path home;

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void openShell() {
        shell = Shell.at(home);
    }

    private Shell.Ended apply(String document) {
        return shell.runPiping(document, "apply", "-f", "-");
    }

    @Test
    void podIsAppliedShownAndDeleted() {
        var created = apply(POD);
        var again = apply(POD);
        var existing = shell.runPiping(POD, "create", "-f", "-");
        var changed = apply(POD.replace("Running", "Failed"));
        var shown = shell.run("get", "pods");
        var deleted = shell.run("delete", "pod", "shop/web-0");

        assertThat(created).isEqualTo(new Shell.Ended(0, "pod/web-0 created\n", ""));
        assertThat(again.out()).isEqualTo("pod/web-0 unchanged\n");
        assertThat(existing.err()).contains("Pod \"shop/web-0\" already exists");
        assertThat(changed.out()).isEqualTo("pod/web-0 configured\n");
        assertThat(shown.out()).isEqualTo("""
            NAME         STATUS   NODE
            shop/web-0   Failed   n1
            """);
        assertThat(deleted).isEqualTo(new Shell.Ended(0, "pod/shop/web-0 deleted\n", ""));
        assertThat(shell.run("delete", "pod", "shop/web-0").err()).contains("Pod \"shop/web-0\" not found");
        assertThat(shell.run("delete", "pod", "web-0").err()).contains("'web-0' is not a valid name");
    }

    @Test
    void podOfAnotherUidIsAnotherPod() {
        apply(POD);

        var other = apply(POD.replace("u1", "u2"));

        assertThat(other.exitCode()).isEqualTo(3);
        assertThat(other.err()).contains("it is another object; delete that first");
        assertThat(shell.run("get", "pod", "shop/web-0", "-o", "yaml").out()).contains("uid: u1");
    }

    @Test
    void misspeltFieldIsRefusedAndNothingIsWritten() {
        var refused = apply(POD.replace("nodeName", "nodename"));

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("unknown field \"spec.nodename\"; did you mean spec.nodeName?");
    }

    @Test
    void podThatWasAppliedIsServedByThePoolsOfItsNamespaceAndNode() {
        apply("""
            {apiVersion: spiderpool.spidernet.io/v2beta1, kind: SpiderIPPool, metadata: {name: p},
             spec: {subnet: 10.6.0.0/24, ips: [10.6.0.7], default: true,
              namespaceAffinity: {matchLabels: {team: t}}, nodeAffinity: {matchLabels: {zone: z}}}}
            """);
        apply(POD);
        var refused = shell.run("explain", "pod", "shop/web-0", "--ipam", "{\"type\":\"spiderpool\"}");

        apply("{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: t}}}");
        apply("{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {zone: z}}}");
        var explained = shell.run("explain", "pod", "shop/web-0", "--ipam", "{\"type\":\"spiderpool\"}");

        assertThat(refused.exitCode()).isEqualTo(3);
        assertThat(explained.out()).startsWith("pod shop/web-0 on node n1 would be given 10.6.0.7\n");
    }

    @Test
    void theCidrsOfANodeAreNotThoseOfItsDocument() {
        shell.run("node-cidr", "add", "n1", "--cluster-cidr", "10.0.0.0/16");

        var labelled = apply("{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {zone: z}}}");
        var claimed = apply("{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {podCIDR: 10.0.9.0/24}}");
        var deleted = shell.run("delete", "node.v1", "n1");
        var shown = shell.run("get", "nodes.v1");

        assertThat(labelled.out()).isEqualTo("node.v1/n1 configured\n");
        assertThat(claimed.err()).contains("CIDRs are given by 'cadastre node-cidr add'");
        assertThat(deleted.err()).contains("take them back with 'cadastre node-cidr remove n1' first");
        assertThat(shown.out()).isEqualTo("NAME   PODCIDRS\nn1     10.0.0.0/24\n");
    }

    @Test
    void nodeThatWouldBreakTheOthersIsRefused() {
        var slashed = apply("{apiVersion: v1, kind: Node, metadata: {name: a/b}}");
        var number = apply("{apiVersion: v1, kind: Node, metadata: {name: 5}}");
        var pod = apply("{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: a/b}}");
        var numbered = apply("{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: 5}}");

        var added = shell.run("node-cidr", "add", "n1", "--cluster-cidr", "10.0.0.0/16");

        assertThat(slashed.exitCode()).isEqualTo(3);
        assertThat(slashed.err()).contains("'a/b' is not a lower case RFC 1123 subdomain");
        assertThat(number.exitCode()).isEqualTo(3);
        assertThat(number.err()).contains("its name is not text");
        assertThat(pod.err()).contains("'a/b' is not a lower case RFC 1123 subdomain");
        assertThat(numbered.err()).contains("its namespace is not text");
        assertThat(added.exitCode()).isZero();
    }

    @Test
    void plainNodeIsCalicos() {
        apply("{apiVersion: v1, kind: Node, metadata: {name: n1}}");

        assertThat(shell.run("get", "nodes").out()).isEqualTo("NAME\n");
        assertThat(shell.run("get", "node.v1", "n1", "-o", "name").out()).isEqualTo("node.v1/n1\n");
    }
}
