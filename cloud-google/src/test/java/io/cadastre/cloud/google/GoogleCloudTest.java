package io.cadastre.cloud.google;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cadastre.address.Prefix;
import io.cadastre.cloud.google.ComputeFault.Body;
import io.cadastre.cloud.google.ComputeFault.EndlessOperation;
import io.cadastre.cloud.google.ComputeFault.FailingOperation;
import io.cadastre.cloud.google.ComputeFault.HalfAnswer;
import io.cadastre.cloud.google.ComputeFault.LostAnswer;
import io.cadastre.cloud.google.ComputeFault.Rival;
import io.cadastre.cloud.google.ComputeFault.Silence;
import io.cadastre.cloud.google.ComputeFault.Status;
import io.cadastre.controller.nodecidr.cloud.AliasAddition;
import io.cadastre.controller.nodecidr.cloud.AliasAddition.Added;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.nodecidr.cloud.AliasRanges;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoogleCloudTest {

    private static final String N1 = "gce://p/z-1/n1";
    private static final Prefix RANGE = Prefix.parse("10.8.0.0/24");

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    /// Long enough for an answer on a busy machine, and short for one that does not come.
    private static final Duration ANSWER = Duration.ofSeconds(20);

    private static final Duration SHORT = Duration.ofMillis(300);

    private final LocalCompute compute = LocalCompute.open();

    /// Waits take no time, and are counted.
    private final AtomicLong nanos = new AtomicLong();

    private GoogleCloud cloud = cloud("token-url = nil", ANSWER);

    @AfterEach
    void close() {
        cloud.close();
        compute.close();
    }

    @Test
    void allAliasRangesOfAllInterfacesAreReadInOrder() {
        compute.withMachine("n1", "10.8.0.0/24 fd00:8::/64", "", "10.9.0.0/24");

        assertThat(cloud.aliasRanges(N1))
                .isEqualTo(new AliasRanges.Found(List.of("10.8.0.0/24", "fd00:8::/64", "10.9.0.0/24")));
    }

    @Test
    void machineWithoutAliasRangesHasNone() {
        compute.withMachine("n1", "");

        assertThat(cloud.aliasRanges(N1)).isEqualTo(new AliasRanges.Found(List.of()));
    }

    @Test
    void machineIsFoundByTheNameOfItsHost() {
        compute.withMachine("n1", "10.8.0.0/24");

        assertThat(cloud.aliasRanges("gce://p/z-1/n1.c.p.internal"))
                .isEqualTo(new AliasRanges.Found(List.of("10.8.0.0/24")));
    }

    @Test
    void unknownMachineIsReportedAsMissing() {
        assertThat(cloud.aliasRanges(N1))
                .isEqualTo(new AliasRanges.NoSuchInstance("cannot read instance n1 in zone z-1: the server answered"
                        + " 404: The resource 'compute/v1/projects/p/zones/z-1/instances/n1' was not found"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "n1",
                "aws:///us-east-1a/i-1",
                "gce://p/z-1",
                "gce://p/z-1/",
                "gce://p/z-1/n1/x",
                "gce://p/z-1/n1?x=y",
                "gce://p/../n1",
                "gce://p/z-1/n1\r\n",
                "gce://p/z-1/%2e"
            })
    void otherProviderIdsAreNotAskedFor(String providerId) {
        assertThat(cloud.aliasRanges(providerId))
                .isEqualTo(new AliasRanges.Failed(
                        "error splitting providerID: '%s' is not gce://PROJECT/ZONE/NAME".formatted(providerId)));
        assertThat(cloud.addAlias(providerId, RANGE, () -> {})).isInstanceOf(AliasAddition.Failed.class);
        assertThat(compute.requests()).isEmpty();
    }

    @Test
    void machineOfAnotherProjectIsNotAskedFor() {
        assertThat(cloud.aliasRanges("gce://other/z-1/n1"))
                .isEqualTo(new AliasRanges.Failed("providerID 'gce://other/z-1/n1' names a machine of another project"
                        + " than the configured p"));
        assertThat(compute.requests()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "403, Required 'compute.instances.get' permission",
        "429, Rate Limit Exceeded",
        "500, Internal error",
        "503, The service is currently unavailable",
    })
    void errorOfTheServerIsQuoted(int status, String message) {
        compute.withMachine("n1", "10.8.0.0/24").failing("get", new Status(status, message));

        assertThat(cloud.aliasRanges(N1))
                .isEqualTo(new AliasRanges.Failed(
                        "cannot read instance n1 in zone z-1: the server answered %d: %s".formatted(status, message)));
    }

    @Test
    void longErrorIsShortenedAndKeptOnOneLine() {
        compute.failing("get", new Status(500, "a\r\nb" + "x".repeat(5000)));

        var failed = (AliasRanges.Failed) cloud.aliasRanges(N1);

        assertThat(failed.sentence()).hasSizeLessThan(400).contains("a bxx").endsWith("x...");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html>",
                "[]",
                "{}{}",
                "{\"networkInterfaces\":7}",
                "{\"networkInterfaces\":[7]}",
                "{\"networkInterfaces\":[{\"aliasIpRanges\":\"10.8.0.0/24\"}]}",
                "{\"networkInterfaces\":[{\"aliasIpRanges\":[{\"ipCidrRange\":7}]}]}",
                "{\"networkInterfaces\":[],\"networkInterfaces\":[]}"
            })
    void garbageIsAFailure(String body) {
        compute.failing("get", new Body(body));

        var answer = cloud.aliasRanges(N1);

        assertThat(answer).isInstanceOf(AliasRanges.Failed.class);
        assertThat(((AliasRanges.Failed) answer).sentence())
                .startsWith("cannot read instance n1 in zone z-1: cannot read the answer: ");
    }

    @Test
    void answerWithoutEndIsAFailure() {
        compute.failing("get", new Body("{\"x\":\"" + "x".repeat(Datastore.VALUE_BYTES_MAX) + "\"}"))
                .failing("get", new Body("{\"x\":" + "[".repeat(100_000)));

        assertThat(cloud.aliasRanges(N1)).isInstanceOf(AliasRanges.Failed.class);
        assertThat(cloud.aliasRanges(N1)).isInstanceOf(AliasRanges.Failed.class);
    }

    @Test
    void answerThatDoesNotComeInTimeIsAFailure() {
        cloud.close();
        cloud = cloud("token-url = nil", SHORT);
        compute.failing("get", new Silence()).failing("get", new HalfAnswer());

        for (int attempt = 1; attempt <= 2; attempt++) {
            assertThat(cloud.aliasRanges(N1))
                    .isEqualTo(new AliasRanges.Failed("cannot read instance n1 in zone z-1: no answer within 300 ms"));
        }
    }

    @Test
    void serverThatIsNotThereIsAFailure() {
        compute.close();

        assertThat(cloud.aliasRanges(N1))
                .isEqualTo(new AliasRanges.Failed("cannot read instance n1 in zone z-1: the server cannot be reached"));
    }

    @Test
    void addedRangeStandsBesideTheOthers() {
        compute.withMachine("n1", "10.7.0.0/24", "10.9.0.0/24").withPollsUntilDone(3);

        assertThat(cloud.addAlias(N1, RANGE, () -> {})).isEqualTo(new Added());

        assertThat(compute.aliases("n1")).containsExactly("10.7.0.0/24 of-n1", "10.8.0.0/24 -", "10.9.0.0/24 of-n1");
        assertThat(compute.requests()).containsExactly("get", "patch", "operation", "operation", "operation");
    }

    @ParameterizedTest
    @ValueSource(strings = {"n ic", "nic%zz", "nic&networkInterface=other", "nic#"})
    void interfaceOfAnyNameGetsARange(String name) {
        compute.withInterfacesCalled(name).withMachine("n1", "");

        assertThat(cloud.addAlias(N1, RANGE, () -> {})).isEqualTo(new Added());

        assertThat(compute.aliases("n1")).containsExactly("10.8.0.0/24 -");
    }

    @Test
    void addedRangeBelongsToTheSecondaryRange() {
        compute.withMachine("n1", "");
        cloud.close();
        cloud = cloud("token-url = nil\nsecondary-range-name = pods", ANSWER);

        assertThat(cloud.addAlias(N1, RANGE, () -> {})).isEqualTo(new Added());

        assertThat(compute.aliases("n1")).containsExactly("10.8.0.0/24 pods");
    }

    @Test
    void rangeThatIsThereIsNotAddedAgain() {
        compute.withMachine("n1", "10.8.0.0/24");

        assertThat(cloud.addAlias(N1, RANGE, () -> {})).isEqualTo(new Added());

        assertThat(compute.requests()).containsExactly("get");
    }

    @Test
    void changeByAnotherIsReadAndKept() {
        compute.withMachine("n1", "10.7.0.0/24").failing("patch", new Rival()).failing("patch", new Rival());

        assertThat(cloud.addAlias(N1, RANGE, () -> {})).isEqualTo(new Added());

        assertThat(compute.aliases("n1")).containsExactly("10.7.0.0/24 of-n1", "10.8.0.0/24 -");
        assertThat(compute.requests()).containsExactly("get", "patch", "get", "patch", "get", "patch", "operation");
    }

    @Test
    void rangeIsNotAddedAfterAConflictIfThatIsNotAllowedAnyMore() {
        compute.withMachine("n1", "").failing("patch", new Rival());
        var checks = new AtomicInteger();

        assertThatIllegalStateException()
                .isThrownBy(() -> cloud.addAlias(N1, RANGE, () -> {
                    if (checks.incrementAndGet() == 2) {
                        throw new IllegalStateException("the term is over");
                    }
                }));

        assertThat(compute.aliases("n1")).isEmpty();
        assertThat(compute.requests()).containsExactly("get", "patch", "get");
    }

    @Test
    void rangeThatAnotherAddsMeanwhileEndsTheAttempt() {
        compute.withMachine("n1", "10.7.0.0/24").failing("patch", new Rival("10.9.0.0/24"));

        assertThat(cloud.addAlias(N1, RANGE, () -> {}))
                .isEqualTo(new AliasAddition.Failed(
                        "n1 in zone z-1 got the alias range 10.9.0.0/24 from another writer meanwhile"));

        assertThat(compute.aliases("n1")).containsExactly("10.7.0.0/24 of-n1", "10.9.0.0/24 -");
        assertThat(compute.requests()).containsExactly("get", "patch", "get");
    }

    @Test
    void conflictsDoNotGoOnForever() {
        compute.withMachine("n1", "");
        for (int conflict = 1; conflict <= 10; conflict++) {
            compute.failing("patch", new Rival());
        }

        assertThat(cloud.addAlias(N1, RANGE, () -> {}))
                .isEqualTo(new AliasAddition.Failed("cannot add the alias range 10.8.0.0/24 to n1 in zone z-1: the"
                        + " server answered 412: Invalid fingerprint., 4 times in a row"));
        assertThat(compute.requests()).hasSize(8);
    }

    @Test
    void operationThatConflictsIsBegunAnew() {
        compute.withMachine("n1", "")
                .failing("patch", new FailingOperation(412, "CONDITION_NOT_MET", "Invalid fingerprint."));

        assertThat(cloud.addAlias(N1, RANGE, () -> {})).isEqualTo(new Added());
        assertThat(compute.aliases("n1")).containsExactly("10.8.0.0/24 -");
    }

    @Test
    void rangeThatAnotherMachineHasIsRefused() {
        compute.withMachine("n1", "").withMachine("n2", "10.8.0.0/22");

        assertThat(cloud.addAlias(N1, RANGE, () -> {}))
                .isEqualTo(new AliasAddition.Refused("cannot add the alias range 10.8.0.0/24 to n1 in zone z-1:"
                        + " operation operation-1 failed: IP_IN_USE_BY_ANOTHER_RESOURCE - IP '10.8.0.0/22' is already"
                        + " being used by another resource."));
        assertThat(compute.aliases("n1")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"400, true", "403, false", "404, false", "409, false", "429, false"})
    void onlyABadRequestIsAboutTheRange(int status, boolean refused) {
        compute.withMachine("n1", "").failing("patch", new Status(status, "no"));

        var result = cloud.addAlias(N1, RANGE, () -> {});

        assertThat(result).isInstanceOf(refused ? AliasAddition.Refused.class : AliasAddition.Failed.class);
        assertThat(compute.requests()).containsExactly("get", "patch");
    }

    @ParameterizedTest
    @CsvSource({"400, true", "403, false", "500, false", "503, false"})
    void operationThatFailsSaysSo(int status, boolean refused) {
        compute.withMachine("n1", "").failing("patch", new FailingOperation(status, "SOME_CODE", "some words"));

        var result = cloud.addAlias(N1, RANGE, () -> {});

        assertThat(result).isInstanceOf(refused ? AliasAddition.Refused.class : AliasAddition.Failed.class);
        assertThat(result.toString()).contains("operation operation-1 failed: SOME_CODE - some words");
    }

    @Test
    void rangeWhoseAnswerWasLostIsLookedFor() {
        compute.withMachine("n1", "").failing("patch", new LostAnswer());

        assertThat(cloud.addAlias(N1, RANGE, () -> {})).isEqualTo(new Added());

        assertThat(compute.requests()).containsExactly("get", "patch", "get");
    }

    @Test
    void rangeThatDidNotArriveIsAFailureThatMayBeRepeated() {
        compute.withMachine("n1", "").failing("patch", new Status(503, "try again"));

        assertThat(cloud.addAlias(N1, RANGE, () -> {})).isInstanceOf(AliasAddition.Failed.class);
        assertThat(cloud.addAlias(N1, RANGE, () -> {})).isEqualTo(new Added());
        assertThat(compute.aliases("n1")).containsExactly("10.8.0.0/24 -");
    }

    @Test
    void operationWithANonsensicalBeginningIsLookedFor() {
        compute.withMachine("n1", "").failing("patch", new Body("{\"name\":\"../../x\"}"));

        assertThat(cloud.addAlias(N1, RANGE, () -> {})).isInstanceOf(AliasAddition.Failed.class);

        assertThat(compute.requests()).containsExactly("get", "patch", "get");
    }

    @Test
    void troubleWhileAnOperationIsFollowedDoesNotEndIt() {
        compute.withMachine("n1", "")
                .failing("operation", new Status(500, "trouble"))
                .failing("operation", new Status(404, "not yet"))
                .failing("operation", new Body("garbage"));

        assertThat(cloud.addAlias(N1, RANGE, () -> {})).isEqualTo(new Added());
        assertThat(compute.requests())
                .containsExactly("get", "patch", "operation", "operation", "operation", "operation");
    }

    @Test
    void operationThatDoesNotEndIsLeftAfterItsTime() {
        compute.withMachine("n1", "").failing("patch", new EndlessOperation());

        // The range is there already, as the last look finds.
        assertThat(cloud.addAlias(N1, RANGE, () -> {})).isEqualTo(new Added());

        assertThat(Duration.ofNanos(nanos.get())).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(63));
        assertThat(compute.requests().stream().filter("operation"::equals)).hasSizeLessThan(40);
    }

    @Test
    void machineWithoutInterfacesGetsNoRange() {
        compute.withMachine("n1");

        assertThat(cloud.addAlias(N1, RANGE, () -> {}))
                .isEqualTo(new AliasAddition.Failed(
                        "instance n1 in zone z-1 has no network interfaces with a fingerprint"));
    }

    @Test
    void tokenIsFetchedOnce() {
        compute.withMachine("n1", "10.8.0.0/24").withTokens(3600);
        cloud.close();
        cloud = cloud("", ANSWER);

        for (int call = 1; call <= 5; call++) {
            assertThat(cloud.aliasRanges(N1)).isInstanceOf(AliasRanges.Found.class);
        }

        assertThat(compute.tokensIssued()).isEqualTo(1);
    }

    @Test
    void tokenThatExpiresSoonIsFetchedAnew() {
        compute.withMachine("n1", "10.8.0.0/24").withTokens(3600);
        cloud.close();
        cloud = cloud("", ANSWER);

        assertThat(cloud.aliasRanges(N1)).isInstanceOf(AliasRanges.Found.class);
        nanos.addAndGet(Duration.ofSeconds(3539).toNanos());
        assertThat(cloud.aliasRanges(N1)).isInstanceOf(AliasRanges.Found.class);
        assertThat(compute.tokensIssued()).isEqualTo(1);
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        assertThat(cloud.aliasRanges(N1)).isInstanceOf(AliasRanges.Found.class);

        assertThat(compute.tokensIssued()).isEqualTo(2);
    }

    @Test
    void tokenThatIsNotAcceptedIsFetchedAnewOnce() {
        compute.withMachine("n1", "10.8.0.0/24").withTokens(3600);
        cloud.close();
        cloud = cloud("", ANSWER);
        assertThat(cloud.aliasRanges(N1)).isInstanceOf(AliasRanges.Found.class);
        compute.revokeTokens();

        assertThat(cloud.aliasRanges(N1)).isInstanceOf(AliasRanges.Found.class);

        assertThat(compute.tokensIssued()).isEqualTo(2);
    }

    @Test
    void secondRefusalOfATokenIsAFailureAndTheTokenIsNotShown() {
        compute.withMachine("n1", "10.8.0.0/24")
                .withTokens(3600)
                .failing("get", new Status(401, "invalid: Bearer ya29.secret-1"))
                .failing("get", new Status(401, "invalid: Bearer ya29.secret-2"));
        cloud.close();
        cloud = cloud("", ANSWER);

        assertThat(cloud.aliasRanges(N1))
                .isEqualTo(new AliasRanges.Failed("cannot read instance n1 in zone z-1: the server answered 401:"
                        + " invalid: Bearer (the token)"));
        assertThat(compute.requests()).containsExactly("token", "get", "token", "get");
    }

    @Test
    void withoutATokenNothingIsAsked() {
        compute.withMachine("n1", "10.8.0.0/24").withTokens(3600).failing("token", new Status(500, "no metadata"));
        cloud.close();
        cloud = cloud("", ANSWER);

        var failed = (AliasRanges.Failed) cloud.aliasRanges(N1);

        assertThat(failed.sentence())
                .isEqualTo("cannot read instance n1 in zone z-1: cannot get a token from http://%s/computeMetadata/v1/"
                                .formatted(compute.host())
                        + "instance/service-accounts/default/token: the server answered 500: no metadata");
        assertThat(compute.requests()).containsExactly("token");
    }

    @Test
    void serverOfTokensIsLeftAloneForASecondAfterAFailure() {
        compute.withMachine("n1", "10.8.0.0/24").withTokens(3600).failing("token", new Status(500, "no metadata"));
        cloud.close();
        cloud = cloud("", ANSWER);

        assertThat(cloud.aliasRanges(N1)).isInstanceOf(AliasRanges.Failed.class);
        assertThat(cloud.aliasRanges(N1)).isInstanceOf(AliasRanges.Failed.class);
        assertThat(compute.requests()).containsExactly("token");
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());

        assertThat(cloud.aliasRanges(N1)).isInstanceOf(AliasRanges.Found.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"access_token\":\"\",\"expires_in\":3600}",
                "{\"access_token\":\"a\\r\\nX-Evil: 1\",\"expires_in\":3600}",
                "{\"access_token\":7,\"expires_in\":3600}",
                "{\"access_token\":\"ya29.secret\",\"expires_in\":\"soon\"}",
                "{\"access_token\":\"ya29.secret\",\"expires_in\":-1}"
            })
    void unusableTokenIsAFailureThatDoesNotShowIt(String body) {
        compute.failing("token", new Body(body));
        cloud.close();
        cloud = cloud("", ANSWER);

        var failed = (AliasRanges.Failed) cloud.aliasRanges(N1);

        assertThat(failed.sentence())
                .startsWith("cannot read instance n1 in zone z-1: cannot get a token from ")
                .doesNotContain("ya29", "Evil");
    }

    @Test
    void tokenOfAControlPlaneIsGivenForATextAndKeptUntilItsTime() {
        compute.withMachine("n1", "10.8.0.0/24").withTokens(3600).withTokensUntil(NOW.plusSeconds(600));
        cloud.close();
        cloud = cloud("token-url = http://%s/token\ntoken-body = \"for me\"".formatted(compute.host()), ANSWER);

        assertThat(cloud.aliasRanges(N1)).isInstanceOf(AliasRanges.Found.class);
        nanos.addAndGet(Duration.ofSeconds(539).toNanos());
        assertThat(cloud.aliasRanges(N1)).isInstanceOf(AliasRanges.Found.class);
        assertThat(compute.tokensIssued()).isEqualTo(1);
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        assertThat(cloud.aliasRanges(N1)).isInstanceOf(AliasRanges.Found.class);

        assertThat(compute.tokensIssued()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"accessToken\":\"ya29.secret\"}",
                "{\"accessToken\":\"ya29.secret\",\"expireTime\":\"soon\"}"
            })
    void unusableTokenOfAControlPlaneIsAFailureThatDoesNotShowIt(String body) {
        compute.failing("token", new Body(body)).failing("token", new Status(400, "what is 'for me'?"));
        cloud.close();
        cloud = cloud("token-url = http://%s/token\ntoken-body = \"for me\"".formatted(compute.host()), ANSWER);

        assertThat(((AliasRanges.Failed) cloud.aliasRanges(N1)).sentence())
                .endsWith("/token: the answer has no usable token");
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(((AliasRanges.Failed) cloud.aliasRanges(N1)).sentence())
                .endsWith("/token: the server answered 400: what is '(the token)'?");
    }

    private GoogleCloud cloud(String lines, Duration answer) {
        var defaults = GoogleCloud.Limits.DEFAULT;
        var text = "[global]\nproject-id = p\napi-endpoint = %s\n%s\n".formatted(compute.endpoint(), lines);
        return new GoogleCloud(
                GoogleCloudConfig.parse("gce.conf", text, compute.host()),
                new GoogleCloud.Limits(
                        answer,
                        defaults.firstPoll(),
                        defaults.longestPoll(),
                        defaults.operation(),
                        defaults.attemptsMax()),
                nanos::get,
                InstantSource.fixed(NOW),
                wait -> nanos.addAndGet(wait.toNanos()));
    }
}
