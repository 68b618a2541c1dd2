/// Reviews of Spiderpool's objects that an API server asks for before it stores or deletes them: `AdmissionReview` of
/// `admission.k8s.io/v1`.
///
/// The rules are those of `cadastre apply`, by [io.cadastre.wire.spiderpool.objects.SpiderKinds]: a kind that has rules
/// there is reviewed here. A review changes nothing and remembers nothing, so a dry run is reviewed like any other.
@NullMarked
package io.cadastre.wire.spiderpool.admission;

import org.jspecify.annotations.NullMarked;
