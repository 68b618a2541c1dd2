package io.cadastre.linux;

import static io.cadastre.linux.NetlinkMessages.acknowledgement;
import static io.cadastre.linux.NetlinkMessages.done;
import static io.cadastre.linux.NetlinkMessages.message;
import static io.cadastre.linux.NetlinkMessages.number;
import static io.cadastre.linux.NetlinkMessages.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConversationTest {

    private static final int NEW_LINK = 16;
    private static final int MULTI = 2;
    private static final int INTERRUPTED = 0x10;

    private final ScriptedKernel kernel = new ScriptedKernel();
    private final Conversation conversation = new Conversation(kernel, Duration.ofSeconds(5));

    @Test
    void acknowledgementEndsAChange() {
        kernel.answers(NetlinkMessages::acknowledgement);

        var answer = conversation.ask("set link 1 up", LinkMessages.up(1));

        assertThat(answer).isEmpty();
    }

    @Test
    void refusalCarriesTheErrnoAndTheKernelsWords() {
        kernel.answers(own -> refusal(own, Errno.EEXIST, "ipv4: Address already assigned"));

        var refused =
                catchThrowableOfType(LinuxException.class, () -> conversation.ask("add address", LinkMessages.up(1)));

        assertThat(refused.errno()).isEqualTo(Errno.EEXIST);
        assertThat(refused.operation()).isEqualTo("add address");
        assertThat(refused.explanation()).contains("ipv4: Address already assigned");
        assertThat(refused).hasMessage("add address: file exists: ipv4: Address already assigned");
    }

    @Test
    void errnoWithoutANameIsShownAsANumber() {
        kernel.answers(own -> message(NetlinkReply.ERROR, 0, own, number(-250)));

        var refused =
                catchThrowableOfType(LinuxException.class, () -> conversation.ask("set link 1 up", LinkMessages.up(1)));

        assertThat(refused.errno()).isEqualTo(Errno.OTHER);
        assertThat(refused.number()).isEqualTo(250);
        assertThat(refused).hasMessage("set link 1 up: errno 250");
    }

    @Test
    void answersToOtherRequestsArePassedOver() {
        kernel.answers(own -> refusal(own - 1, Errno.EPERM, "late"), own -> acknowledgement(own));

        var answer = conversation.ask("set link 1 up", LinkMessages.up(1));

        assertThat(answer).isEmpty();
    }

    @Test
    void dumpIsCollectedFromAllItsDatagrams() {
        kernel.answers(own -> both(part(1).to(own), part(2).to(own)), part(3), finish(0));

        var parts = conversation.dump("list links", LinkMessages.all());

        assertThat(numbers(parts)).containsExactly(1, 2, 3);
    }

    @Test
    void dumpThatChangedOnTheWayIsReadAgain() {
        kernel.answers(own -> message(NEW_LINK, MULTI | INTERRUPTED, own, number(1)), part(2), finish(0))
                .answers(part(3), finish(0));

        var parts = conversation.dump("list links", LinkMessages.all());

        assertThat(numbers(parts)).containsExactly(3);
    }

    @Test
    void interruptionReportedAtTheEndCountsToo() {
        kernel.answers(part(1), finish(INTERRUPTED)).answers(part(2), finish(0));

        var parts = conversation.dump("list links", LinkMessages.all());

        assertThat(numbers(parts)).containsExactly(2);
        assertThat(kernel.requests()).isEqualTo(2);
    }

    @Test
    void dumpThatAlwaysChangesIsGivenUp() {
        for (int attempt = 1; attempt <= 30; attempt++) {
            kernel.answers(finish(INTERRUPTED));
        }

        var failure =
                catchThrowableOfType(LinuxException.class, () -> conversation.dump("list links", LinkMessages.all()));

        assertThat(failure.errno()).isEqualTo(Errno.EAGAIN);
        assertThat(kernel.requests()).isEqualTo(20);
    }

    @Test
    void dumpOfWhichPartsWereLostIsReadAgain() {
        kernel.answers(part(1), ScriptedKernel.lost()).answers(part(1), part(2), finish(0));

        var parts = conversation.dump("list links", LinkMessages.all());

        assertThat(numbers(parts)).containsExactly(1, 2);
    }

    @Test
    void dumpThatFailsAtItsEndIsAFailure() {
        kernel.answers(part(1), own -> message(NetlinkReply.DONE, MULTI, own, number(-Errno.EINVAL.number())));

        var failure =
                catchThrowableOfType(LinuxException.class, () -> conversation.dump("list links", LinkMessages.all()));

        assertThat(failure.errno()).isEqualTo(Errno.EINVAL);
    }

    /// It may have happened: to ask again could do it twice.
    @Test
    void changeWhoseAnswerWasLostIsNotAskedAgain() {
        kernel.answers(ScriptedKernel.lost()).answers(NetlinkMessages::acknowledgement);

        var failure =
                catchThrowableOfType(LinuxException.class, () -> conversation.ask("set link 1 up", LinkMessages.up(1)));

        assertThat(failure.errno()).isEqualTo(Errno.ENOBUFS);
        assertThat(kernel.requests()).isOne();
    }

    @Test
    void silenceEndsWithTheDeadline() {
        var failure =
                catchThrowableOfType(LinuxException.class, () -> conversation.ask("set link 1 up", LinkMessages.up(1)));

        assertThat(failure.errno()).isEqualTo(Errno.ETIMEDOUT);
    }

    @Test
    void messageShorterThanItsHeaderIsATypedError() {
        kernel.answers(_ -> new byte[] {8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});

        var failure =
                catchThrowableOfType(LinuxException.class, () -> conversation.ask("set link 1 up", LinkMessages.up(1)));

        assertThat(failure.errno()).isEqualTo(Errno.EBADMSG);
    }

    private static ScriptedKernel.Part part(int value) {
        return own -> message(NEW_LINK, MULTI, own, number(value));
    }

    private static ScriptedKernel.Part finish(int flags) {
        return own -> done(own, MULTI | flags);
    }

    private static byte[] both(byte[] first, byte[] second) {
        var both = new ByteArrayOutputStream();
        both.writeBytes(first);
        both.writeBytes(second);
        return both.toByteArray();
    }

    private static List<Integer> numbers(List<Payload> parts) {
        return parts.stream().map(part -> part.i32(0)).toList();
    }
}
