package io.cadastre.agent.net;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.agent.AddFailureListener;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Write;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.DoorbellFrame.Call;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.PodIdentity;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Reports refused ADDs to a cluster: as warnings about the pods, where an operator that looks at a pod
/// that does not start finds them.
///
/// The same refusal of the same pod is one event with a count. It is reported in addition to the answer and
/// on a best effort: what cannot be reported to the cluster goes to the log.
public final class PodEvents implements AddFailureListener {

    /// The keys of events are this, the namespace, a slash and the name.
    public static final String EVENTS = CoreKeys.EVENTS;

    private static final String REASON = "FailedAddressAssignment";
    private static final String COMPONENT = "cadastre-agent";

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");

    /// The API server takes no longer ones.
    private static final int MESSAGE_MAX = 1024;

    private static final int ATTEMPTS_MAX = 3;
    private static final int DIGEST_CHARACTERS = 16;

    private final Datastore store;
    private final InstantSource clock;
    private final String node;
    private final Consumer<String> log;

    public PodEvents(Datastore store, InstantSource clock, String node, Consumer<String> log) {
        this.store = store;
        this.clock = clock;
        this.node = node;
        this.log = log;
    }

    /// The pod of a call, if it is of one.
    private record Pod(String namespace, String name, String uid) {

        static Optional<Pod> of(Call call) {
            var arguments = call.variable("CNI_ARGS");
            var namespace = PodArgument.find(arguments, "K8S_POD_NAMESPACE");
            var name = PodArgument.find(arguments, "K8S_POD_NAME");
            return NAME.matcher(namespace).matches() && NAME.matcher(name).matches()
                    ? Optional.of(new Pod(namespace, name, PodArgument.find(arguments, PodArgument.UID)))
                    : Optional.empty();
        }
    }

    @Override
    public void refused(Call call, CniError error) {
        Pod.of(call).ifPresent(pod -> Thread.ofVirtual().name("pod-event").start(() -> tell(pod, message(error))));
    }

    /// Reports why a pod got no address from an API without calls of plugins.
    public void refused(PodIdentity pod, String words) {
        if (NAME.matcher(pod.namespace()).matches() && NAME.matcher(pod.name()).matches()) {
            var about = new Pod(pod.namespace(), pod.name(), pod.uid());
            Thread.ofVirtual().name("pod-event").start(() -> tell(about, shortened(words)));
        }
    }

    private static String message(CniError error) {
        return shortened(error.details().isEmpty() ? error.msg() : error.msg() + ": " + error.details());
    }

    private static String shortened(String message) {
        return message.length() <= MESSAGE_MAX ? message : message.substring(0, MESSAGE_MAX);
    }

    private void tell(Pod pod, String message) {
        var key = EVENTS + pod.namespace() + "/" + name(pod, message);
        try {
            for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
                var found = store.get(key);
                var write = found.<Write>map(event -> new Write.Update(
                                key, Json.write(again(Json.readObject(key, event.value()))), event.revision()))
                        .orElseGet(() -> new Write.Create(key, Json.write(first(pod, message))));
                if (!(store.commit(List.of(write)) instanceof Commit.Conflict)) {
                    return;
                }
            }
        } catch (DatastoreException | IllegalArgumentException failed) {
            log.accept("cannot record an event about pod %s/%s (%s): %s"
                    .formatted(pod.namespace(), pod.name(), message, failed.getMessage()));
        }
    }

    private static String name(Pod pod, String message) {
        try {
            var digest = MessageDigest.getInstance("SHA-256")
                    .digest((pod.uid() + "\n" + message).getBytes(StandardCharsets.UTF_8));
            return "%s.%s"
                    .formatted(pod.name(), HexFormat.of().formatHex(digest).substring(0, DIGEST_CHARACTERS));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private ObjectNode first(Pod pod, String message) {
        var event = Json.emptyObject();
        event.put("apiVersion", "v1").put("kind", "Event");
        event.putObject("metadata").put("namespace", pod.namespace());
        var about = event.putObject("involvedObject");
        about.put("apiVersion", "v1").put("kind", "Pod");
        about.put("namespace", pod.namespace()).put("name", pod.name());
        if (!pod.uid().isEmpty()) {
            about.put("uid", pod.uid());
        }
        event.put("type", "Warning").put("reason", REASON).put("message", message);
        event.putObject("source").put("component", COMPONENT).put("host", node);
        event.put("firstTimestamp", now()).put("lastTimestamp", now()).put("count", 1);
        return event;
    }

    private ObjectNode again(ObjectNode event) {
        int count;
        try {
            count = Integer.parseInt(event.path("count").toString());
        } catch (NumberFormatException _) {
            count = 1;
        }
        return event.put("lastTimestamp", now()).put("count", count + 1);
    }
}
