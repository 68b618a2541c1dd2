package io.cadastre.linux.probe;

import io.cadastre.linux.KernelDeadline;
import io.cadastre.linux.MacAddress;
import io.cadastre.linux.Namespace;
import io.cadastre.linux.PacketSocket;
import java.util.Optional;
import java.util.function.Function;

/// A question to all hosts on a link, until one answers or enough time has passed.
///
/// @param question what is sent, again and again
/// @param destination the receiver
/// @param verdict the host that answers, if a packet is an answer
record Solicitation(
        String operation,
        PacketSocket.EtherType type,
        Question question,
        MacAddress destination,
        Function<PacketSocket.Packet, Optional<MacAddress>> verdict) {

    /// Asks on the link of a pod's namespace. All of it runs on the platform thread that enters the namespace, so
    /// that no carrier of virtual threads is held while there is no answer. In the own namespace the calling thread
    /// would wait.
    Optional<MacAddress> ask(Namespace namespace, int linkIndex, ProbeTiming timing) {
        return namespace.inside(() -> {
            try (var socket = PacketSocket.open(linkIndex, type)) {
                return askHere(socket, timing);
            }
        });
    }

    private Optional<MacAddress> askHere(PacketSocket socket, ProbeTiming timing) {
        for (int send = 1; send <= timing.sends(); send++) {
            socket.send(operation, question.bytes(), destination);
            var answer = listen(socket, KernelDeadline.after(timing.interval()));
            if (answer.isPresent()) {
                return answer;
            }
        }
        return Optional.empty();
    }

    private Optional<MacAddress> listen(PacketSocket socket, KernelDeadline deadline) {
        // Ends: after the deadline only packets that were waiting are looked at.
        for (int taken = 0; taken < PacketSocket.WAITING_MAX || !deadline.over(); taken++) {
            var packet = socket.receive(operation, deadline);
            if (packet.isEmpty()) {
                return Optional.empty();
            }
            var answer = packet.flatMap(verdict);
            if (answer.isPresent()) {
                return answer;
            }
        }
        return Optional.empty();
    }

    /// What is asked, as the bytes of a packet.
    @FunctionalInterface
    interface Question {
        byte[] bytes();
    }
}
