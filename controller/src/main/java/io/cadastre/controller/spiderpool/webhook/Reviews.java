package io.cadastre.controller.spiderpool.webhook;

import io.cadastre.controller.spiderpool.webhook.WebhookConfigurations.Question;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.pages.Metric.Sample;
import io.cadastre.wire.spiderpool.admission.AdmissionAnswer;
import io.cadastre.wire.spiderpool.admission.AdmissionAnswer.Code;
import io.cadastre.wire.spiderpool.admission.AdmissionAnswer.Denied;
import io.cadastre.wire.spiderpool.admission.AdmissionReview;
import io.cadastre.wire.spiderpool.admission.SpiderAdmission;
import io.cadastre.wire.spiderpool.objects.ObjectView;
import io.cadastre.wire.spiderpool.objects.SpiderKind;
import io.cadastre.wire.spiderpool.objects.SpiderKinds;
import io.cadastre.wire.survey.StoreRanges;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Answers reviews, each by its path. What a rule depends on is read anew for each review, and nothing else: the ranges
/// of other dialects only where an object is to give further addresses.
final class Reviews {

    private final Map<String, Subject> subjects = new LinkedHashMap<>();
    private final Supplier<ObjectView> stored;
    private final Consumer<String> reports;

    /// How many reviews ended in each way, by path and ending.
    private final Map<List<String>, LongAdder> counts =
            new ConcurrentSkipListMap<>((one, other) -> String.join(" ", one).compareTo(String.join(" ", other)));

    /// What is asked at one path.
    private record Subject(Question question, SpiderKind kind, SpiderAdmission admission) {}

    /// @param reports takes a sentence for each object that could be completed in part only
    Reviews(Datastore store, WebhookSettings settings, Consumer<String> reports) {
        this.stored = () -> ObjectView.of(store, StoreRanges::besideSpiderpool);
        this.reports = reports;
        for (var kind : SpiderKinds.reviewed()) {
            var admission = new SpiderAdmission(kind, settings.families(), settings.deletion(), settings.subnets());
            for (var question : Question.values()) {
                subjects.put(question.path(kind), new Subject(question, kind, admission));
            }
        }
    }

    /// What an asker gets.
    sealed interface Result {

        record Answered(Bytes review) implements Result {}

        /// It did not ask for a review.
        record NoReview(String fault) implements Result {}
    }

    boolean serves(String path) {
        return subjects.containsKey(path);
    }

    List<String> paths() {
        return List.copyOf(subjects.keySet());
    }

    /// Answers what is asked at a path that is served.
    Result answer(String path, Bytes body) {
        AdmissionReview review;
        try {
            review = AdmissionReview.read(body);
        } catch (UnreadableDocumentException unreadable) {
            count(path, "unreadable");
            return new Result.NoReview(String.valueOf(unreadable.getMessage()));
        }
        var subject = Optional.ofNullable(subjects.get(path))
                .orElseThrow(() -> new IllegalArgumentException("nothing is reviewed at " + path));
        var answer = answer(subject, review);
        count(path, word(answer));
        return new Result.Answered(review.answer(answer));
    }

    private AdmissionAnswer answer(Subject subject, AdmissionReview review) {
        return switch (subject.question()) {
            case MUTATE -> mutate(subject, review);
            case VALIDATE -> validate(subject, review);
        };
    }

    /// Never refuses: what cannot be completed is judged by the validation.
    private AdmissionAnswer mutate(Subject subject, AdmissionReview review) {
        try {
            var answer = subject.admission().mutate(review, stored);
            if (answer instanceof AdmissionAnswer.Patched(var _, var fault) && !fault.isEmpty()) {
                reports.accept("%s %s could be completed in part only: %s"
                        .formatted(subject.kind().word(), review.name(), fault));
            }
            return answer;
        } catch (RuntimeException unexpected) {
            reports.accept("%s %s was not completed, by a bug: %s"
                    .formatted(subject.kind().word(), review.name(), unexpected));
            return new AdmissionAnswer.Allowed();
        }
    }

    private AdmissionAnswer validate(Subject subject, AdmissionReview review) {
        try {
            return subject.admission().validate(review, stored);
        } catch (DatastoreException failed) {
            return new Denied(
                    Code.INTERNAL_ERROR,
                    "%s %s cannot be compared with what is stored: %s"
                            .formatted(subject.kind().word(), review.name(), failed.getMessage()));
        }
    }

    private static String word(AdmissionAnswer answer) {
        return switch (answer) {
            case AdmissionAnswer.Allowed _, AdmissionAnswer.Patched _ -> "allowed";
            case Denied _ -> "denied";
        };
    }

    private void count(String path, String ending) {
        counts.computeIfAbsent(List.of(path, ending), _ -> new LongAdder()).increment();
    }

    Metric figures() {
        var samples = new ArrayList<Sample>();
        counts.forEach((labels, count) ->
                samples.add(Sample.of((double) count.sum(), "path", labels.getFirst(), "result", labels.getLast())));
        return Metric.counter("cadastre_webhook_reviews_total", "Admission reviews, by path and result.", samples);
    }
}
